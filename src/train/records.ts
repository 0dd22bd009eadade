/** Episodes as panels need them: each turn with its text, reward, value, advantage and ratio. */
import type { Credit } from "../algorithm/registry.ts";
import { significant } from "../numeric/significant.ts";
import type { EpisodeRecord, TokenRecord, TurnRecord } from "../record/runEvent.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import { recordedEpisodes } from "../spec/groups.ts";
import type { Episode, EpisodeTurn } from "../rollout/rollout.ts";
import type { CriticValues } from "./criticValues.ts";
import type { IterationContext } from "./context.ts";
import { episodeReturn } from "./rolloutMetrics.ts";

/** Ratios and log-probs of a trajectory's tokens at its last use in an update of the actor. */
export interface LastUse {
  /** [N] */
  logprob: Float64Array;
  /** As the objective computes it; 1 if the actor was not trained. [K] */
  turnRatio: Float64Array;
  /** 1 if a clip applied to the turn or any of its tokens. [K] */
  turnClipped: Uint8Array;
}

/** Rewards, values, returns and advantages in the environment's units: not scaled. */
interface RecordSource {
  batch: TrajectoryBatch;
  credit: Credit;
  /** [N] */
  entropy: Float64Array;
  /** Values by every critic of the run for each recorded episode. */
  critics?: CriticValues | undefined;
  /** What process rewards added to each turn. [K] */
  process?: { added: Float64Array } | null;
}

/** Only whether a learner records values is used here. */
interface ValuedAlgorithm {
  algorithm: { critic: "none" | "turn" | "token" };
}

/** The first episodes, up to the number in the spec. */
export function episodeRecords(
  { spec, family }: IterationContext,
  learner: ValuedAlgorithm,
  source: RecordSource & { episodes: Episode[] },
  lastUse: LastUse,
): EpisodeRecord[] {
  const recordTurn = turnRecorder(source, lastUse, learner, (id) =>
    family.world.prompter.tokenText(id),
  );
  return source.episodes.slice(0, recordedEpisodes(spec)).map((episode, b) => ({
    trajectory: episode.trajectory,
    task: episode.task.name,
    seed: episode.task.seed,
    reward: episodeReturn(episode),
    ...has("greedyScore", source.batch.greedyScore?.[b]),
    success: episode.success,
    terminated: episode.terminated,
    truncated: episode.truncated,
    finalObservation: episode.finalObservation,
    ...finalValues(source.critics, b),
    turns: episode.turns.map((turn, h) => recordTurn(turn, source.batch.turnStart[b]! + h)),
  }));
}

/** Precision of a 32-bit float: the numbers come from 32-bit networks. */
const DIGITS = 7;

const rounded = (x: number) => significant(x, DIGITS);

/** A field that is absent if the run did not compute it. */
function has<Name extends string>(name: Name, x: number | undefined): { [N in Name]?: number } {
  return x === undefined ? {} : ({ [name]: rounded(x) } as { [N in Name]: number });
}

/** Absent if no critic was evaluated on the end. */
export function finalValues(
  critics: CriticValues | undefined,
  b: number,
): Pick<EpisodeRecord, "finalValues"> {
  const known = Object.entries(critics?.end ?? {}).flatMap(([name, end]) =>
    typeof end[b] === "number" ? [[name, end[b]] as const] : [],
  );
  return known.length === 0 ? {} : { finalValues: Object.fromEntries(known) };
}

function turnRecorder(
  { batch, credit, entropy, critics, process }: RecordSource,
  lastUse: LastUse,
  learner: ValuedAlgorithm,
  tokenText: (id: number) => string,
) {
  const known = (value: number | undefined) => (value === undefined ? null : rounded(value));
  const tokenRecord = (id: number, t: number): TokenRecord => ({
    id,
    text: tokenText(id),
    oldLogprob: rounded(batch.oldLogprob![t]!),
    logprob: rounded(lastUse.logprob[t]!),
    entropy: rounded(entropy[t]!),
    ...has("refLogprob", batch.refLogprob?.[t]),
    ...has("rolloutLogprob", batch.rolloutLogprob?.[t]),
    ...has("sumPiSquared", batch.sumPiSquared?.[t]),
    advantage: rounded(credit.tokenAdvantage[t]!),
    value: known(batch.tokenValue?.[t]),
  });
  return (turn: EpisodeTurn, k: number): TurnRecord => {
    const first = batch.tokenStart[k]!;
    const tokens = turn.responseIds.map((id, i) => tokenRecord(id, first + i));
    // A token critic's value of the state before a turn is that of its first token's prefix.
    const value = batch.turnValue?.[k] ?? batch.tokenValue?.[first];
    const target = credit.turnReturn?.[k] ?? firstTarget(credit.tokenReturn, batch.tokenStart, k);
    const values = Object.entries(critics?.turns ?? {}).map(([name, values]) => [name, values[k]!]);
    return {
      observation: turn.observation,
      text: turn.text,
      actions: turn.actions,
      reward: turn.reward,
      formatPenalty: turn.formatPenalty,
      ...(turn.chance !== undefined && { chance: turn.chance }),
      ...(process && { processReward: process.added[k]! }),
      ...has("gain", batch.turnGain?.[k]),
      value: learner.algorithm.critic === "none" ? null : known(value),
      advantage: rounded(credit.turnAdvantage[k]!),
      return: learner.algorithm.critic === "none" ? null : known(target),
      ratio: rounded(lastUse.turnRatio[k]!),
      clipped: lastUse.turnClipped[k] === 1,
      tokens,
      ...(values.length > 0 && { critics: Object.fromEntries(values) as Record<string, number[]> }),
    };
  };
}

/** The target of the turn's first token that has one: some critics have targets at a turn's end only. */
function firstTarget(
  tokenReturn: Float64Array | null,
  tokenStart: Int32Array,
  k: number,
): number | undefined {
  return tokenReturn?.subarray(tokenStart[k]!, tokenStart[k + 1]!).find((R) => R === R);
}
