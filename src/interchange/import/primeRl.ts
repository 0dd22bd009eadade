/**
 * prime-rl's traces (`rollouts/step_N/train/all/traces.jsonl`), and its token export: one JSON
 * object per line for each trained sequence, with aligned lists of token ids, loss mask,
 * advantages, entropies, log-probs of trainer and sampler, ratios and mask flags. The export has no
 * text and no group: where traces of its step are beside it, its numbers go to their tokens.
 */
import { exp } from "../../numeric/deterministic.ts";
import { shortenName } from "../../numeric/inputError.ts";
import type { Findings, ForeignEpisode, ForeignToken, ForeignTurn, Format } from "./foreign.ts";
import { evaluationIn, type FileSource } from "./sources.ts";
import {
  hasTrace,
  isTraceRow,
  FAILED_EARLY,
  sequenceKey,
  traceEpisodes,
  traceWork,
  trainedOnly,
  type ExportedColumns,
} from "./traces.ts";
import {
  flagOf,
  listOf,
  meanOf,
  namesInOrder,
  numberOf,
  iterationNumber,
  stepFrom,
  sumKnown,
  textOrNull,
  unknownIn,
} from "./values.ts";
import { trainedSpans, type TokenSpan } from "./tokens.ts";
import type { Fields } from "./values.ts";
import { words } from "./words.ts";
import { isRecord } from "../../spec/jsonText.ts";

/** What the page says of prime-rl's files. */
export const primeRlWords = {
  lengths: (names: readonly string[]) =>
    `Some rows have more or fewer entries than tokens in ${names.join(", ")}: what is missing is unknown.`,
  noText: (tokens: number) => `[${tokens} tokens; the file has their numbers, not their text]`,
  tokenText: "The export has no text: each token is shown by its number.",
  ratio: "Ratios compare the trainer with the sampler (inference), as prime-rl does.",
  unmatched:
    "Some exported sequences are in no trace of their step, by their tokens: their numbers are left out.",
  masked:
    "A token counts as clipped where prime-rl masked it out of the loss (is_masked), a turn where one of its tokens does.",
  untrained: (agent: string) =>
    `The agent ${shortenName(agent)} was not trained, and its traces are left out.`,
  version: (version: number) =>
    `The files say format ${version}; this page knows format 1 and may misread them.`,
} as const;

/** Columns that are read, or contain only what others have too. */
const KNOWN = new Set([
  ...["schema_version", "step", "export_step", "rank", "micro_step", "micro_sequence_idx"],
  ...["export_sequence_idx", "run_id", "env_name", "token_ids", "position_ids", "loss_mask"],
  ...["advantages", "rewards", "inference_logprobs", "trainer_logprobs", "entropy", "is_masked"],
  ...["log_importance_ratio", "importance_ratio"],
]);

const isExport = (value: unknown): value is Fields =>
  isRecord(value) && listOf(value["token_ids"]) !== null && listOf(value["loss_mask"]) !== null;

const TRACES = /traces\.jsonl$/;

export const primeRl: Format = {
  apart: "folder",
  joins: true,
  fits: (value) => isExport(value) || (isTraceRow(value) && traceWork(value) !== null),
  // `effective` holds those of `all` that were trained on.
  repeats: (name, names) =>
    /[/\\]effective[/\\]/.test(name) &&
    names.includes(name.replace(/([/\\])effective([/\\])/, "$1all$2")),
  reader(findings, names) {
    const promptName = namesInOrder("prompt");
    const hasTraces = names.some((name) => TRACES.test(name));
    let traces: { row: Fields; file: FileSource }[] = [];
    let exported = new Map<string, { row: Fields; file: FileSource }>();
    const writeExport = ({ row, file }: { row: Fields; file: FileSource }) =>
      findings.episode(
        (textOrNull(row["run_id"]) ?? "prime-rl") + file.run,
        stepOf(row, file, findings),
        episodeOfRollout(row, promptName),
      );
    return {
      take(value, file) {
        if (isTraceRow(value)) {
          if (!hasTrace(value)) return FAILED_EARLY;
          traces.push({ row: value, file });
          return true;
        }
        if (!isExport(value)) return false;
        noteRow(findings, value);
        findings.unread(unknownIn(value, KNOWN));
        const key = sequenceKey(listOf(value["token_ids"])!);
        if (hasTraces && !exported.has(key)) exported.set(key, { row: value, file });
        else writeExport({ row: value, file });
        return true;
      },
      endStep() {
        const used = new Set<string>();
        for (const { row, file } of traces)
          writeTrace(findings, row, file, (key) => {
            const found = exported.get(key);
            if (found) used.add(key);
            return found ? exportedColumns(found.row) : null;
          });
        for (const [key, one] of exported)
          if (traces.length === 0) writeExport(one);
          else if (!used.has(key)) findings.warn(primeRlWords.unmatched);
        traces = [];
        exported = new Map();
      },
    };
  },
};

function writeTrace(
  findings: Findings,
  row: Fields,
  file: FileSource,
  exported: (key: string) => ExportedColumns | null,
): void {
  const work = traceWork(row)!;
  const isEval = /eval|val/.test(textOrNull(work["type"]) ?? "") || evaluationIn(file.name);
  const { step } = stepFrom(file, work["step"]);
  const { row: own, left } = trainedOnly(row);
  for (const name of left) findings.warn(primeRlWords.untrained(name));
  for (const episode of traceEpisodes(own, exported))
    findings.episode(`prime-rl${isEval ? "-validation" : ""}`, step, {
      ...episode,
      ...(isEval && { split: "eval" }),
    });
}

function exportedColumns(row: Fields): ExportedColumns {
  const list = (name: string) => listOf(row[name]);
  return {
    ids: list("token_ids")!,
    oldLogprob: list("inference_logprobs"),
    newLogprob: list("trainer_logprobs"),
    entropy: list("entropy"),
    clipped: list("is_masked"),
    advantage: list("advantages"),
  };
}

/** The row's own step; else that of the file's path, or the file's index. */
function stepOf(row: Fields, { step, iteration }: FileSource, findings: Findings): number {
  const own = iterationNumber(row["export_step"]) ?? iterationNumber(row["step"]);
  if (own === null && step === null)
    findings.assume(iteration === 0 ? words.noStep : words.noSteps);
  return own ?? iteration;
}

/** Lists aligned with the tokens, one entry each. */
const ALIGNED = [
  ...["loss_mask", "advantages", "rewards", "inference_logprobs", "trainer_logprobs", "entropy"],
  ...["is_masked", "log_importance_ratio"],
];

function noteRow(findings: Findings, row: Fields): void {
  const tokens = listOf(row["token_ids"])!.length;
  const odd = ALIGNED.filter((name) => (listOf(row[name])?.length ?? tokens) !== tokens);
  if (odd.length > 0) findings.warn(primeRlWords.lengths(odd));
  const version = numberOf(row["schema_version"]);
  if (version !== null && version !== 1) findings.note(primeRlWords.version(version));
  findings.note(primeRlWords.tokenText);
  for (const text of [primeRlWords.ratio, primeRlWords.masked]) findings.assume(text);
}

function episodeOfRollout(row: Fields, promptName: (key: string) => string): ForeignEpisode {
  const ids = listOf(row["token_ids"])!;
  const runs = trainedSpans(listOf(row["loss_mask"])!, ids.length);
  const prompt = ids.slice(0, runs[0]?.from ?? ids.length);
  const reward = column(row, "rewards", numberOf, 0, ids.length).find((one) => one !== null);
  const tail = ids.length - (runs.at(-1)?.to ?? 0);
  const turns = runs.map((run, h) => turnOf(row, run, run.from - (runs[h - 1]?.to ?? 0)));
  return {
    task: [textOrNull(row["env_name"]) ?? "", promptName(prompt.join(","))].join(" ").trim(),
    seed: null,
    reward: reward ?? null,
    success: null,
    terminated: null,
    truncated: null,
    finalObservation: tail > 0 ? primeRlWords.noText(tail) : "",
    turns: turns.map((turn) => ({ ...turn, reward: turns.length === 1 ? (reward ?? null) : null })),
  };
}

function turnOf(row: Fields, { from, to }: TokenSpan, before: number): ForeignTurn {
  const numbers = (name: string) => column(row, name, numberOf, from, to);
  const advantages = numbers("advantages");
  const logRatio = sumKnown(numbers("log_importance_ratio"));
  const masked = column(row, "is_masked", flagOf, from, to);
  return {
    observation: before > 0 ? primeRlWords.noText(before) : "",
    text: primeRlWords.noText(to - from),
    actions: null,
    reward: null,
    formatPenalty: null,
    value: null,
    return: null,
    advantage: meanOf(advantages),
    ratio: logRatio === null ? null : exp(logRatio),
    clipped: masked.includes(null) ? null : masked.includes(true),
    tokens: tokensOfRun(row, from, to, advantages),
  };
}

function tokensOfRun(
  row: Fields,
  from: number,
  to: number,
  advantages: readonly (number | null)[],
): ForeignToken[] {
  const ids = column(row, "token_ids", numberOf, from, to);
  const old = column(row, "inference_logprobs", numberOf, from, to);
  const now = column(row, "trainer_logprobs", numberOf, from, to);
  const entropy = column(row, "entropy", numberOf, from, to);
  const masked = column(row, "is_masked", flagOf, from, to);
  return ids.map((id, i) => ({
    id: id ?? -1,
    text: `#${id ?? "?"}`,
    oldLogprob: old[i]!,
    logprob: now[i]!,
    entropy: entropy[i]!,
    advantage: advantages[i]!,
    value: null,
    ...(masked[i] !== null && { clipped: masked[i]! }),
  }));
}

/** Part of a list, of the requested length whatever the file contains. */
function column<T>(
  row: Fields,
  name: string,
  read: (value: unknown) => T | null,
  from: number,
  to: number,
): (T | null)[] {
  const list = listOf(row[name]) ?? [];
  return Array.from({ length: to - from }, (_, i) => read(list[from + i]));
}
