/** `objective` with a method on preference pairs: compares a batch file's trajectories within each task. */
import { composeOffsets, gatherOffsets, gatherSegments } from "../numeric/segments.ts";
import { preferenceLoss, type PreferenceLoss } from "../algorithm/preference.ts";
import { decodeBatch } from "../record/decodeBatch.ts";
import { requireColumn } from "../method/requireColumn.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import { InputError, show } from "../numeric/inputError.ts";
import {
  preferenceConfig,
  preferenceDefaults,
  preferenceNumbers,
  type PreferenceConfig,
} from "../spec/preference.ts";
import { buildPairs, type RolloutPair } from "../train/preference/pairs.ts";
import { perToken } from "./perUnit.ts";

/** The command line's request. */
export interface AskedObjective {
  /** Algorithm or method. */
  name: string;
  /** Its settings as strings. */
  set: Record<string, string>;
  /** The batch file, parsed. */
  json: unknown;
}

/**
 * Loss, its pairs (best with worst return of each task, ties dropped) and its gradients. Tokens
 * need logprob and refLogprob, and with TDPO also kl, the full-vocabulary KL of the reference to
 * the policy there.
 * @throws InputError naming what is wrong or missing.
 */
export function pairObjective({ name, set, json }: AskedObjective): unknown {
  const { config, pairsPerTask, minGap } = settingsOf(name, set);
  const batch = decodeBatch(json);
  const pairs = buildPairs(scoresOf(batch), pairsPerTask, minGap);
  if (pairs.length === 0)
    throw new InputError(
      "the batch has no pair: no task has two trajectories with sufficiently different rewards",
    );
  const members = [...pairs.map(({ chosen }) => chosen), ...pairs.map(({ rejected }) => rejected)];
  const tokens = composeOffsets(batch.turnStart, batch.tokenStart); // [B+1]
  const of = (x: Float64Array) => gatherSegments(x, tokens, members);
  const result = preferenceLoss(config, {
    logprob: of(requireColumn(batch, "logprob", config.title)),
    refLogprob: of(requireColumn(batch, "refLogprob", config.title)),
    kl: of(klColumn(config, batch, json)),
    start: gatherOffsets(tokens, members),
  });
  const back = (x: Float64Array) => perToken(scatterSegments(x, tokens, members), batch);
  return {
    loss: result.loss,
    pairs: pairs.map((pair, p) => pairReport(pair, result, p)),
    dLogprob: back(result.dLogprob),
    dKl: result.dKl && back(result.dKl),
  };
}

function pairReport(
  { task, chosen, rejected }: RolloutPair,
  { logit, pairLoss, reward }: PreferenceLoss,
  p: number,
) {
  const rewards = { chosen: reward[p], rejected: reward[logit.length + p] };
  return { task, chosen, rejected, logit: logit[p], loss: pairLoss[p], rewards };
}

/** Overrides of the method's numbers, and the number of pairs per task. */
function settingsOf(
  name: string,
  set: Record<string, string>,
): { config: PreferenceConfig; pairsPerTask: number; minGap: number } {
  const settings = preferenceDefaults();
  const ranges = {
    ...preferenceNumbers,
    pairsPerTask: { min: 1, max: 512 },
    minGap: { min: 0, max: 1e6 },
  };
  for (const [key, text] of Object.entries(set)) {
    if (!Object.hasOwn(ranges, key)) {
      const allowed = Object.keys(ranges).join(", ");
      throw new InputError(`${show(key)} is not a setting of ${name}; allowed: ${allowed}`);
    }
    const { min, max } = ranges[key as keyof typeof ranges];
    const whole = key === "pairsPerTask";
    const number = text.trim() === "" ? Number.NaN : Number(text);
    if (!(number >= min && number <= max) || (whole && !Number.isInteger(number))) {
      const kind = whole ? "a whole number" : "a number";
      throw new InputError(`${key} is ${show(text)}; it must be ${kind} from ${min} to ${max}`);
    }
    settings[key as keyof typeof ranges] = number;
  }
  const { pairsPerTask, minGap } = settings;
  return { config: preferenceConfig(name, settings), pairsPerTask, minGap };
}

function scoresOf({ task, turnStart, turnReward }: TrajectoryBatch) {
  return task.map((name, b) => ({
    task: name,
    reward: turnReward.subarray(turnStart[b]!, turnStart[b + 1]!).reduce((sum, r) => sum + r, 0),
  }));
}

interface Nested {
  trajectories: { turns: { tokens: { kl?: unknown }[] }[] }[];
}

/** The tokens' kl, in a file whose form has been checked; 0 if the method does not use it. [N] */
function klColumn(
  { seqKl, title }: PreferenceConfig,
  batch: TrajectoryBatch,
  json: unknown,
): Float64Array {
  if (seqKl === "none") return new Float64Array(batch.tokenStart.at(-1)!);
  const numbers = (json as Nested).trajectories.flatMap(({ turns }, b) =>
    turns.flatMap(({ tokens }, h) =>
      tokens.map(({ kl }, t) => {
        if (typeof kl === "number" && kl >= 0 && kl <= 1e100) return kl;
        const path = `trajectories[${b}].turns[${h}].tokens[${t}].kl`;
        if (kl === undefined) throw new InputError(`${path} is missing; ${title} needs it`);
        throw new InputError(`${path} is ${show(kl)}; it must be a number from 0`);
      }),
    ),
  );
  return Float64Array.from(numbers); // [N]
}

/** Puts the joined segments back; 0 in those that were not chosen. [N] */
function scatterSegments(x: Float64Array, start: Int32Array, chosen: number[]): Float64Array {
  const out = new Float64Array(start.at(-1)!); // [N]
  let at = 0;
  for (const s of chosen) {
    const length = start[s + 1]! - start[s]!;
    out.set(x.subarray(at, at + length), start[s]!);
    at += length;
  }
  return out;
}
