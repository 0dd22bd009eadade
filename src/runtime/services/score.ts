/** What the models predict for an episode, or for a state: one forward pass each. */
import { append } from "../../numeric/lists.ts";
import { offsets } from "../../numeric/segments.ts";
import type { EpisodeRecord, TokenRecord } from "../../record/runEvent.ts";
import type { Episode } from "../../rollout/rollout.ts";
import { tokenRow, type TokenRow, type TurnTokens } from "../../text/tokenRow.ts";
import { checkFinite, gather, maskAt } from "../../train/columns.ts";
import { criticValues, type CriticValues } from "../../train/criticValues.ts";
import { episodeRow, placeRows } from "../../train/episodes.ts";
import { criticOf, type Learner } from "../../train/learner.ts";
import { learnsFromPairs, type AnyLearner } from "../../train/preference/learner.ts";
import { finalValues } from "../../train/records.ts";
import { neededColumns } from "../../spec/algorithms.ts";
import { squaredProbabilities } from "../../train/signals.ts";
import { specNow, type AskedLearner, type Service } from "./asked.ts";

export interface Scored extends Pick<EpisodeRecord, "finalValues"> {
  /** [turns][tokens] */
  tokens: TokenRecord[][];
  /** V(s_h) of the asked learner's critic in reward units; null without a critic. [turns] */
  values: number[] | null;
  /** Values by each critic of the run, by algorithm, as a log records them. [turns][1 or tokens] */
  critics: Record<string, number[][]>;
}

type AskedThen = Pick<AskedLearner, "learner" | "trained" | "player">;

/** Episodes per forward pass. */
const AT_ONCE = 16;

/**
 * Log-prob and entropy of each token under the asked policy, and V of each turn, and of the end if
 * training needs it, by the critics of the same time. No update has used the episodes, so tokens
 * have no log-prob at a last use.
 */
export async function scoreEpisodes(
  service: Service,
  asked: AskedThen,
  episodes: readonly Episode[],
): Promise<Scored[]> {
  const batches = batchesOf(service, asked, episodes);
  await askCritics(service, asked, batches);
  const all: Scored[] = [];
  for (const batch of batches) {
    await service.gate();
    append(all, await scoreBatch(service, asked, batch));
  }
  return all;
}

/** Episodes of one forward pass. */
interface Batch {
  episodes: readonly Episode[];
  /** [B] */
  rows: TokenRow[];
  /** [K+1] */
  tokenStart: Int32Array;
  /** Values from the critics asked so far. */
  said: CriticValues;
}

function batchesOf(service: Service, { learner }: AskedThen, all: readonly Episode[]): Batch[] {
  const { context, optimisation } = specNow(service, learner.algorithm.name);
  const batches: Batch[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const episodes = all.slice(from, from + AT_ONCE);
    const rows = episodes.map((one) =>
      episodeRow(one, context, optimisation.bootstrapOnTruncation),
    );
    const turns = episodes.flatMap((one) => one.turns);
    const tokenStart = offsets(turns.map(({ responseIds }) => responseIds.length));
    batches.push({ episodes, rows, tokenStart, said: { turns: {}, end: {} } });
  }
  return batches;
}

/** One critic after the other, so that no two restored ones use memory at once. */
async function askCritics(
  service: Service,
  asked: AskedThen,
  batches: readonly Batch[],
): Promise<void> {
  for (const learner of service.experiment.learners) {
    if (learnsFromPairs(learner) || !criticOf(learner)) continue;
    const spec = specNow(service, learner.algorithm.name);
    await withJudge(service, asked, learner, async (judge) => {
      for (const { rows, tokenStart, said } of batches) {
        await service.gate();
        const one = await criticValues(spec, [judge], rows, tokenStart);
        Object.assign(said.turns, one.turns);
        Object.assign(said.end, one.end);
      }
    });
  }
}

async function scoreBatch(
  service: Service,
  asked: AskedThen,
  { episodes, rows, tokenStart, said }: Batch,
): Promise<Scored[]> {
  const record = await tokenRecorder(service, asked, rows);
  const { name, critic } = asked.learner.algorithm;
  let k = 0;
  return episodes.map(({ turns }, b) => {
    const of = Object.entries(said.turns).map(([name, all]) => [
      name,
      all.slice(k, k + turns.length),
    ]);
    const critics = Object.fromEntries(of) as Scored["critics"];
    const own = critics[name] ?? null;
    const perToken = critic === "token" ? own : null;
    const tokens = turns.map(({ responseIds }, h) =>
      responseIds.map((id, t) => record(id, tokenStart[k + h]! + t, perToken?.[h]![t] ?? null)),
    );
    k += turns.length;
    const values = own?.map((V) => V[0] ?? NaN) ?? null;
    return { tokens, values, critics, ...finalValues(said, b) };
  });
}

/** Records tokens of the rows, by their index in the batch: their probability under the asked policy, and its entropy. */
async function tokenRecorder(service: Service, { player, learner }: AskedThen, rows: TokenRow[]) {
  const placed = placeRows(rows);
  const request = {
    rows: placed.rows,
    mask: maskAt(placed.rows, placed.tokenAt),
    temperature: specNow(service, learner.algorithm.name).sampling.temperature,
  };
  const out = await player.model.forward({ ...request, entropy: true });
  const logprob = gather(out.logprob, placed.tokenAt); // [N]
  const entropy = gather(out.entropy!, placed.tokenAt); // [N]
  checkFinite("logprob", logprob);
  const needs = learnsFromPairs(learner) ? [] : neededColumns(learner.algorithm);
  // No gap to a sampler is known where a reader wrote the response.
  const asSampled = needs.includes("rolloutLogprob");
  const { sumPiSquared } = needs.includes("sumPiSquared")
    ? await squaredProbabilities(player.model, request, placed.tokenAt, logprob)
    : {};
  const scored = await learner.reference?.forward(request);
  const reference = scored && gather(scored.logprob, placed.tokenAt); // [N]
  const { prompter } = service.experiment.family.world;
  return (id: number, n: number, value: number | null): TokenRecord => ({
    id,
    text: prompter.tokenText(id),
    oldLogprob: logprob[n]!,
    logprob: NaN,
    ...(reference && { refLogprob: reference[n]! }),
    ...(asSampled && { rolloutLogprob: logprob[n]! }),
    ...(sumPiSquared && { sumPiSquared: sumPiSquared[n]! }),
    entropy: entropy[n]!,
    advantage: NaN,
    value,
  });
}

/**
 * Restores a learner to the time of the asked policy while `ask` runs. Within a round, learners
 * before the asked one have trained one iteration more.
 */
async function withJudge(
  service: Service,
  asked: AskedThen,
  learner: Learner,
  ask: (judge: Learner) => Promise<void>,
): Promise<void> {
  const { learners } = service.experiment;
  const isBefore = learners.indexOf(learner) < learners.indexOf(asked.learner);
  const then = await service.policies?.borrow(learner, asked.trained + Number(isBefore));
  if (!then) return ask(learner);
  try {
    await ask({ ...learner, ...then });
  } finally {
    then.dispose();
  }
}

function criticOfAny(learner: AnyLearner) {
  return learnsFromPairs(learner) ? null : criticOf(learner);
}

/** V of the state at the end of a query, under every critic of the run, by algorithm. */
export async function stateValues(
  service: Service,
  context: number[],
): Promise<Record<string, number>> {
  const { learners } = service.experiment;
  const rows = placeRows([tokenRow([{ queryIds: context, responseIds: [0] }], "full")]);
  const mask = maskAt(rows.rows, rows.stateEndAt);
  const values: Record<string, number> = {};
  for (const learner of learners) {
    const critic = criticOfAny(learner);
    if (!critic || learner.crashed) continue;
    const spec = specNow(service, learner.algorithm.name);
    const { temperature } = spec.sampling;
    const request = { rows: rows.rows, mask, temperature, value: true };
    const plane = (await critic.forward(request)).value!;
    const V = plane[rows.stateEndAt[0]!]! / spec.optimisation.rewardScale;
    if (Number.isFinite(V)) values[learner.algorithm.name] = V;
  }
  return values;
}

/** Log-prob of each response, complete or not, after the same context. [n] */
export async function scoreResponses(
  service: Service,
  { actor, algorithm }: Pick<AnyLearner, "actor" | "algorithm">,
  context: number[],
  responses: number[][],
): Promise<number[]> {
  if (responses.length === 0) return [];
  const { temperature } = specNow(service, algorithm.name).sampling;
  const rows = responses.map((responseIds) => {
    const turn: TurnTokens = { queryIds: context, responseIds };
    return tokenRow([turn], "full");
  });
  const placed = placeRows(rows);
  const mask = maskAt(placed.rows, placed.tokenAt);
  const { logprob } = await actor.forward({ rows: placed.rows, mask, temperature });
  const all = gather(logprob, placed.tokenAt); // [N]
  checkFinite("logprob", all);
  let at = 0;
  return responses.map(({ length }) =>
    all.subarray(at, (at += length)).reduce((sum, x) => sum + x, 0),
  );
}
