/** What the models say of an episode, or of a state: one forward pass each. */
import type { EpisodeRecord, TokenRecord } from "../../record/runEvent.ts";
import type { Episode } from "../../rollout/rollout.ts";
import { tokenRow, type TurnTokens } from "../../text/tokenRow.ts";
import { checkFinite, gather } from "../../train/columns.ts";
import { episodeRow, placeRows } from "../../train/episodes.ts";
import { criticOf, type Learner } from "../../train/learner.ts";
import { learnsFromPairs, type AnyLearner } from "../../train/preference/learner.ts";
import { specNow, type Service } from "./asked.ts";

export interface Scored {
  /** [turns][tokens] */
  tokens: TokenRecord[][];
  /** V(s_h) in reward units; null without a critic. [turns] */
  values: EpisodeRecord["turns"][number]["value"][] | null;
}

/** Log-prob and entropy of each token under the learner's policy (or an older one), and V of each turn by the critic as it is now. */
export async function scoreEpisode(
  service: Service,
  learner: AnyLearner,
  episode: Episode,
  model = learner.actor,
): Promise<Scored> {
  const { family } = service.experiment;
  const spec = specNow(service);
  const placed = placeRows([episodeRow(episode, spec.context, false)]);
  const request = { rows: placed.rows, temperature: spec.sampling.temperature };
  const out = await model.forward({ ...request, entropy: true });
  const logprob = gather(out.logprob, placed.tokenAt); // [N]
  const entropy = gather(out.entropy!, placed.tokenAt); // [N]
  checkFinite("logprob", logprob);
  let n = 0;
  const tokens = episode.turns.map(({ responseIds }) =>
    responseIds.map((id) => {
      const [oldLogprob, spread] = [logprob[n]!, entropy[n++]!];
      const text = family.world.prompter.tokenText(id);
      const common = { id, text, oldLogprob, logprob: oldLogprob };
      return { ...common, entropy: spread, advantage: NaN, value: null };
    }),
  );
  const critic = criticFor(learner);
  if (!critic) return { tokens, values: null };
  const plane = (await critic.forward({ ...request, value: true })).value!; // [1, L]
  const { rewardScale } = spec.optimisation;
  const values = gather(plane, placed.stateEndAt).map((V) => V / rewardScale); // [K]
  return { tokens, values: Array.from(values) };
}

function criticFor(learner: AnyLearner) {
  return learnsFromPairs(learner) ? null : criticOf(learner);
}

/** V of the state that a query ends in, under every critic of the run, by algorithm. */
export async function valuesOf(
  service: Service,
  context: number[],
): Promise<Record<string, number>> {
  const { learners } = service.experiment;
  const spec = specNow(service);
  const rows = placeRows([tokenRow([{ queryIds: context, responseIds: [0] }], "full")]);
  const values: Record<string, number> = {};
  for (const learner of learners) {
    const critic = criticFor(learner);
    if (!critic || learner.crashed) continue;
    const request = { rows: rows.rows, temperature: spec.sampling.temperature, value: true };
    const plane = (await critic.forward(request)).value!;
    const V = plane[rows.stateEndAt[0]!]! / spec.optimisation.rewardScale;
    if (Number.isFinite(V)) values[learner.algorithm.name] = V;
  }
  return values;
}

/** Log-prob of each response, as far as it goes, after the same context. [n] */
export async function scoreResponses(
  service: Service,
  { actor }: Pick<Learner, "actor">,
  context: number[],
  responses: number[][],
): Promise<number[]> {
  if (responses.length === 0) return [];
  const { temperature } = specNow(service).sampling;
  const rows = responses.map((responseIds) => {
    const turn: TurnTokens = { queryIds: context, responseIds };
    return tokenRow([turn], "full");
  });
  const placed = placeRows(rows);
  const { logprob } = await actor.forward({ rows: placed.rows, temperature });
  const all = gather(logprob, placed.tokenAt); // [N]
  checkFinite("logprob", all);
  let at = 0;
  return responses.map(({ length }) =>
    all.subarray(at, (at += length)).reduce((sum, x) => sum + x, 0),
  );
}
