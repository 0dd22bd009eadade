/** What the models say of an episode, or of a state: one forward pass each. */
import { offsets } from "../../numeric/segments.ts";
import type { TokenRecord } from "../../record/runEvent.ts";
import type { Episode } from "../../rollout/rollout.ts";
import { tokenRow, type TokenRow, type TurnTokens } from "../../text/tokenRow.ts";
import { checkFinite, gather } from "../../train/columns.ts";
import { criticValues } from "../../train/criticValues.ts";
import { episodeRow, placeRows } from "../../train/episodes.ts";
import { criticOf, type Learner } from "../../train/learner.ts";
import { learnsFromPairs, type AnyLearner } from "../../train/preference/learner.ts";
import { specNow, type Asked, type Service } from "./asked.ts";

export interface Scored {
  /** [turns][tokens] */
  tokens: TokenRecord[][];
  /** V(s_h) of the asked learner's critic in reward units; null without one. [turns] */
  values: number[] | null;
  /** What each critic of the run makes of it, by algorithm, as a log tells it. [turns][1 or tokens] */
  critics: Record<string, number[][]>;
}

/**
 * Log-prob and entropy of each token under the asked policy, and V of each turn by the critics as they were with it.
 * No update has used the episode: tokens have no log-prob at a last use.
 */
export async function scoreEpisode(
  service: Service,
  asked: Pick<Asked, "learner" | "trained" | "player">,
  episode: Episode,
): Promise<Scored> {
  const spec = specNow(service);
  const row = episodeRow(episode, spec.context, false);
  const placed = placeRows([row]);
  const request = { rows: placed.rows, temperature: spec.sampling.temperature };
  const out = await asked.player.model.forward({ ...request, entropy: true });
  const logprob = gather(out.logprob, placed.tokenAt); // [N]
  const entropy = gather(out.entropy!, placed.tokenAt); // [N]
  checkFinite("logprob", logprob);
  const told = await asked.learner.reference?.forward(request);
  const reference = told && gather(told.logprob, placed.tokenAt); // [N]
  const critics = await criticsThen(service, asked, episode, row);
  const own = critics[asked.learner.algorithm.name] ?? null;
  const perToken = asked.learner.algorithm.critic === "token" ? own : null;
  const { prompter } = service.experiment.family.world;
  let n = 0;
  const tokens = episode.turns.map(({ responseIds }, h) =>
    responseIds.map((id, t) => ({
      ...{ id, text: prompter.tokenText(id), oldLogprob: logprob[n]!, logprob: NaN },
      ...(reference && { refLogprob: reference[n]! }),
      ...{ entropy: entropy[n++]!, advantage: NaN, value: perToken?.[h]![t] ?? null },
    })),
  );
  return { tokens, values: own?.map((said) => said[0] ?? NaN) ?? null, critics };
}

/** In the order of a round, learners before the asked one have had one iteration more. */
async function criticsThen(
  service: Service,
  asked: Pick<Asked, "learner" | "trained">,
  episode: Episode,
  row: TokenRow,
): Promise<Scored["critics"]> {
  const { learners } = service.experiment;
  const place = learners.indexOf(asked.learner);
  const tokenStart = offsets(episode.turns.map(({ responseIds }) => responseIds.length)); // [K+1]
  const all: Scored["critics"] = {};
  for (const [i, learner] of learners.entries()) {
    if (!criticFor(learner) || learnsFromPairs(learner)) continue;
    const then = await service.policies?.borrow(learner, asked.trained + Number(i < place));
    try {
      const asThen = then ? { ...learner, ...then } : learner;
      const { turns } = await criticValues(specNow(service), [asThen], [row], tokenStart);
      Object.assign(all, turns);
    } finally {
      then?.dispose();
    }
  }
  return all;
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
