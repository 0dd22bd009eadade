/**
 * Tinker's cookbook: rollout summaries (groups and rewards of turns, no text), captured samples
 * (tokens and log-probs), and the trajectories of evaluations.
 */
import { isRecord } from "../../spec/jsonText.ts";
import { areMessages, turnsOfMessages } from "./conversation.ts";
import { bareEpisode, bareTurn, type Findings, type ForeignTurn, type Format } from "./foreign.ts";
import { spokenWords } from "./spoken.ts";
import { tokensIn, tokenTurn } from "./tokens.ts";
import { iterationNumber, listOf, nameFrom, numberOf, type Fields } from "./values.ts";

/** What the page says of Tinker's files. */
const tinkerWords = {
  unmatched:
    "Captured samples of some iterations do not match their summaries, by numbers and lengths: those are left out.",
} as const;

const isSummary = (value: unknown): value is Fields =>
  isRecord(value) && "traj_idx" in value && "group_idx" in value && listOf(value["steps"]) !== null;
const isCapture = (value: unknown): value is Fields =>
  isRecord(value) && "traj_idx" in value && "seq_id" in value && listOf(value["samples"]) !== null;
const isTrajectory = (value: unknown): value is Fields =>
  isRecord(value) && "example_id" in value && "benchmark" in value && areMessages(value["turns"]);

/** A sampled answer: tokens and log-probs. */
interface Capture {
  tokens: readonly unknown[];
  logprobs: readonly unknown[] | null;
}

export const tinker: Format = {
  apart: "nothing",
  fits: (value) => isSummary(value) || isCapture(value) || isTrajectory(value),
  context: isCapture,
  reader(findings) {
    /** By iteration, then by group, trajectory and turn. */
    const captured = new Map<number, Map<string, Capture>>();
    const summaries: Fields[] = [];
    return {
      take(value) {
        if (isTrajectory(value)) takeEvaluation(value, findings);
        else if (isSummary(value)) summaries.push(value);
        else if (isCapture(value)) keepCapture(value, captured);
        else return false;
        return true;
      },
      endStep() {
        for (const [iteration, rows] of byIteration(summaries)) {
          const own = captured.get(iteration);
          const matches = own !== undefined && areMatching(rows, own);
          if (own && !matches) findings.warn(tinkerWords.unmatched);
          for (const row of rows) takeSummary(row, iteration, matches ? own : null, findings);
        }
        summaries.length = 0;
      },
    };
  },
};

function byIteration(rows: readonly Fields[]): Map<number, Fields[]> {
  const found = new Map<number, Fields[]>();
  for (const row of rows) {
    const step = iterationNumber(row["iteration"]) ?? 0;
    found.set(step, [...(found.get(step) ?? []), row]);
  }
  return found;
}

const placeIn = (row: Fields, turn: number) =>
  `${nameFrom(row["group_idx"])}/${nameFrom(row["traj_idx"])}/${turn}`;

function keepCapture(row: Fields, captured: Map<number, Map<string, Capture>>): void {
  const [first] = listOf(row["samples"])!.filter(isRecord);
  const tokens = listOf(first?.["tokens"]);
  const iteration = iterationNumber(row["iteration"]) ?? 0;
  const own = captured.get(iteration) ?? new Map<string, Capture>();
  captured.set(iteration, own);
  if (tokens)
    own.set(placeIn(row, numberOf(row["seq_id"]) ?? 0), {
      tokens,
      logprobs: listOf(first?.["logprobs"]),
    });
}

/** Whether every turn has a capture of its length, and no capture is left. */
function areMatching(rows: readonly Fields[], captured: ReadonlyMap<string, Capture>): boolean {
  const steps = rows.flatMap((row) =>
    listOf(row["steps"])!
      .filter(isRecord)
      .map((step, h) => ({ key: placeIn(row, h), length: numberOf(step["ac_len"]) })),
  );
  return (
    steps.length === captured.size &&
    steps.every(({ key, length }) => captured.get(key)?.tokens.length === length)
  );
}

function takeSummary(
  row: Fields,
  iteration: number,
  captured: ReadonlyMap<string, Capture> | null,
  findings: Findings,
): void {
  const turns = listOf(row["steps"])!
    .filter(isRecord)
    .map((step, h): ForeignTurn => {
      const [heard, length] = [numberOf(step["ob_len"]) ?? 0, numberOf(step["ac_len"]) ?? 0];
      const [observation, text] = [spokenWords.noText(heard), spokenWords.noText(length)];
      const capture = captured?.get(placeIn(row, h));
      const columns = { ids: capture?.tokens ?? [], rolloutLogprob: capture?.logprobs ?? null };
      const turn = capture
        ? tokenTurn(observation, text, tokensIn(columns, 0, capture.tokens.length))
        : bareTurn(observation, text);
      return { ...turn, reward: numberOf(step["reward"]) };
    });
  const sum = numberOf(row["total_reward"]);
  const final = numberOf(row["final_reward"]);
  const split = row["split"] === "train" || row["split"] === undefined ? "" : "-validation";
  const sampled = numberOf(row["sampling_client_step"]);
  findings.episode(
    `Tinker${split}`,
    iteration,
    bareEpisode(`group ${nameFrom(row["group_idx"])}`, sum, turns, {
      id: `${nameFrom(row["group_idx"])}/${nameFrom(row["traj_idx"])}`,
      ...(final !== null && final !== 0 && { penalty: final }),
      ...(split !== "" && { split: "eval" as const }),
      ...(sampled !== null && { policy: [sampled, sampled] as const }),
    }),
  );
}

function takeEvaluation(row: Fields, findings: Findings): void {
  const { turns, last } = turnsOfMessages(row["turns"]);
  findings.episode(
    "Tinker-validation",
    0,
    bareEpisode(`example ${nameFrom(row["example_id"])}`, numberOf(row["reward"]), turns, {
      finalObservation: last,
      split: "eval",
      ...("idx" in row && { id: String(row["idx"]) }),
    }),
  );
}
