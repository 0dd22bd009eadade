/**
 * UNIPO's training logs: a header and one entry per step with metrics and prompts, each prompt with its responses,
 * each response with aligned lists per token. As one JSON object, as JSON lines (header first), or as the two kinds
 * of file that its build step makes of them (metrics, and prompts step by step).
 */
import { exp, log } from "../../numeric/deterministic.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { Findings, ForeignEpisode, ForeignToken, Format } from "./foreign.ts";
import {
  listOf,
  meanOf,
  numberOf,
  iterationNumber,
  sumKnown,
  textOrNull,
  unknownIn,
  type Fields,
} from "./values.ts";
import { unipoSettings } from "./unipoSettings.ts";
import { words } from "./words.ts";
import { minus } from "../../numeric/finite.ts";
import { isRecord } from "../../spec/jsonText.ts";

/** UNIPO's names of algorithms that have another one here. */
const NAMES: Readonly<Record<string, string>> = { ppo: "token-ppo", drgrpo: "dr-grpo" };

/** Fields that are read, or say nothing that is not there anyway. */
const KNOWN = {
  header: new Set(["type", "algorithm", "hparams", "totalSteps"]),
  response: new Set(["id", "reward", "advantage", "response_text", "response_length", "tokens"]),
  tokens: new Set([
    ...["ids", "strings", "log_probs", "prob", "old_log_probs", "ref_log_probs"],
    ...["entropy", "values", "advantages", "returns"],
  ]),
};

export const unipo: Format = {
  fits: (value) => isRecord(value) && (isWhole(value) || isHeader(value) || isStep(value)),
  reader(findings) {
    let algorithm = "unipo";
    const name = (header: unknown) => {
      if (!isRecord(header)) return;
      const said = textOrNull(header["algorithm"])?.trim().toLowerCase();
      if (said) algorithm = Object.hasOwn(NAMES, said) ? NAMES[said]! : said;
      noteHeader(findings, algorithm, header);
    };
    return {
      take(value) {
        if (!unipo.fits(value)) return false;
        const fields = value as Fields;
        if (isHeader(fields)) name(fields);
        if (!isWhole(fields)) return isHeader(fields) || takeEntry(findings, algorithm, fields);
        name(fields["header"]);
        const entries = listOf(fields["entries"])!;
        const taken = entries.filter((one) => isRecord(one) && takeEntry(findings, algorithm, one));
        const left = entries.length - taken.length;
        if (left > 0) findings.note(words.unipo.left(left));
        return true;
      },
    };
  },
};

const isWhole = (value: Fields) => isRecord(value["header"]) && listOf(value["entries"]) !== null;
const isHeader = (value: Fields) => value["type"] === "header" && "algorithm" in value;
const isStep = (value: Fields) =>
  iterationNumber(value["step"]) !== null &&
  (isRecord(value["metrics"]) || listOf(value["prompts"]) !== null);

function noteHeader(findings: Findings, algorithm: string, header: Fields): void {
  findings.unread(unknownIn(header, KNOWN.header));
  const found = unipoSettings(algorithm, header);
  if (found?.said) findings.settings(algorithm, found.said);
  if (found) findings.note(found.note);
}

function takeEntry(findings: Findings, algorithm: string, entry: Fields): boolean {
  const step = iterationNumber(entry["step"]);
  if (step === null) return false;
  findings.note(words.unipo.oneTurn);
  if (isRecord(entry["metrics"])) {
    if (numberOf(entry["metrics"]["reward"]) !== null) findings.note(words.unipo.ownReward);
    findings.metrics(algorithm, step, metricsOf(entry["metrics"]));
  }
  const prompts = (listOf(entry["prompts"]) ?? []).filter(isRecord);
  prompts.forEach((group, p) => {
    for (const response of (listOf(group["responses"]) ?? []).filter(isRecord)) {
      findings.episode(algorithm, step, episodeOfTrajectory(algorithm, group, response, p));
      findings.unread(unknownIn(response, KNOWN.response));
      if (isRecord(response["tokens"]))
        findings.unread(unknownIn(response["tokens"], KNOWN.tokens));
    }
  });
  return true;
}

/** Under their own names; the mean reward also under the name that curves know. A null was not measured. */
function metricsOf(metrics: Fields): Metrics {
  const own = Object.fromEntries(
    Object.entries(metrics).filter(([, value]) => typeof value === "number"),
  ) as Metrics;
  const reward = numberOf(metrics["reward"]);
  return { ...own, ...(reward !== null && { "critic/score/mean": reward }) };
}

function episodeOfTrajectory(
  algorithm: string,
  group: Fields,
  response: Fields,
  p: number,
): ForeignEpisode {
  const columns = isRecord(response["tokens"]) ? response["tokens"] : {};
  const tokens = tokensOfStep(columns);
  const values = tokens.flatMap(({ value }) => (value === null ? [] : [value]));
  const logRatio = sumKnown(tokens.map(({ logprob, oldLogprob }) => minus(logprob, oldLogprob)));
  const reward = numberOf(response["reward"]);
  const turn = {
    observation: textOrNull(group["prompt"]) ?? "",
    text: textOrNull(response["response_text"]) ?? tokens.map(({ text }) => text).join(""),
    actions: null,
    reward,
    formatPenalty: null,
    clipped: null,
    tokens,
    return: firstOf(listOf(columns["returns"])),
    // Before a response its first token's prefix is the state.
    value: tokens[0]?.value ?? null,
    advantage: numberOf(response["advantage"]) ?? meanOf(tokens.map(({ advantage }) => advantage)),
    ratio: logRatio === null ? null : exp(logRatio),
    ...(values.length > 0 &&
      values.length === tokens.length && { critics: { [algorithm]: values } }),
  };
  return {
    task: `prompt ${p + 1}`,
    seed: null,
    reward,
    success: null,
    terminated: null,
    truncated: null,
    finalObservation: "",
    turns: [turn],
  };
}

/** A turn's target is that of its first token that has one, as its value is. */
function firstOf(list: readonly unknown[] | null): number | null {
  return list?.map(numberOf).find((one) => one !== null) ?? null;
}

function tokensOfStep(columns: Fields): ForeignToken[] {
  const strings = listOf(columns["strings"]) ?? [];
  const at = (name: string, i: number) => numberOf(listOf(columns[name])?.[i]);
  const probability = (i: number) => at("prob", i);
  const reference = (i: number) => at("ref_log_probs", i);
  return strings.map((text, i) => ({
    id: at("ids", i) ?? -1,
    text: textOrNull(text) ?? "",
    oldLogprob: at("old_log_probs", i),
    logprob: at("log_probs", i) ?? logOfProbability(probability(i)),
    entropy: at("entropy", i),
    ...(reference(i) !== null && { refLogprob: reference(i)! }),
    advantage: at("advantages", i),
    value: at("values", i),
  }));
}

/** Older logs hold probabilities; UNIPO's own build step takes their logarithm too. */
function logOfProbability(probability: number | null): number | null {
  return probability !== null && probability > 0 ? log(probability) : null;
}
