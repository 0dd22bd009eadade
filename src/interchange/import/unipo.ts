/**
 * UNIPO's training logs: a header and one entry per step with metrics and prompts, each prompt with
 * its responses, each response with aligned lists per token. As one JSON object, as JSON lines
 * (header first), or as the two kinds of files from its build step (metrics, and prompts step by
 * step).
 */
import { counted, plural } from "../../numeric/counted.ts";
import { exp, log } from "../../numeric/deterministic.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { Findings, ForeignEpisode, ForeignToken, Format, SaidSettings } from "./foreign.ts";
import { checkedSettings } from "./settings.ts";
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
import { words } from "./words.ts";
import { minus } from "../../numeric/finite.ts";
import { isRecord } from "../../spec/jsonText.ts";

/** What the page says of UNIPO's files. */
export const unipoWords = {
  bare: "No header names the program, only step and metrics do: the numbers keep their own names.",
  another: (name: string, file: string) =>
    `${file} is of a method that another file has, too: its run is called ${name}.`,
  oneTurn: "Each response is an episode of one turn.",
  left: (n: number) =>
    `${counted(n, "entry", "entries")} without a usable step ${plural(n, "is", "are")} left out.`,
  ownReward: "Where an entry gives a mean reward of its own, the curve of reward has that.",
  settings: (set: Readonly<Record<string, number>>, groupSize: number | null) => {
    const named = Object.entries(set).map(([name, value]) => `${name} ${value}`);
    const group = groupSize === null ? [] : [`responses of a prompt ${groupSize}`];
    return (
      `Settings come from the header: ${[...named, ...group].join(", ")}. ` +
      "Others are assumed to be the method's usual ones, without dual clip."
    );
  },
  missingSettings: (missing: readonly string[]) =>
    `The header's settings are not used, because it lacks ${missing.join(", ")}.`,
  oddSettings: "The header's settings are not used: the method, or one of its numbers, is unknown.",
} as const;

/** UNIPO's names of algorithms that have another name here. */
const NAMES: Readonly<Record<string, string>> = { ppo: "token-ppo", drgrpo: "dr-grpo" };

/** A run whose files have no header. */
const UNNAMED = "unipo";

/** Fields that are read, or contain only what others have too. */
const KNOWN = {
  header: new Set(["type", "algorithm", "hparams", "totalSteps"]),
  response: new Set(["id", "reward", "advantage", "response_text", "response_length", "tokens"]),
  tokens: new Set([
    ...["ids", "strings", "log_probs", "prob", "old_log_probs", "ref_log_probs"],
    ...["entropy", "values", "advantages", "returns"],
  ]),
};

export const unipo: Format = {
  apart: "nothing",
  fits: (value) => isRecord(value) && (isWhole(value) || isHeader(value) || isStep(value)),
  reader(findings) {
    const names = new Names(findings);
    return {
      take(value, file) {
        if (!unipo.fits(value)) return false;
        const fields = value as Fields;
        if (isHeader(fields)) names.begin(fields, file.name);
        if (!isWhole(fields))
          return isHeader(fields) || takeEntry(findings, names.of(file.name), fields);
        const header = fields["header"] as Fields;
        names.begin(header, file.name);
        const entries = listOf(fields["entries"])!.filter(isRecord);
        const shared = isRecord(fields["blueprint"]) ? fields["blueprint"]["prompts"] : undefined;
        const taken = entries.filter((one) =>
          takeEntry(findings, names.of(file.name), { ...one, prompts: one["prompts"] ?? shared }),
        );
        const left = listOf(fields["entries"])!.length - taken.length;
        if (left > 0) findings.warn(unipoWords.left(left));
        return true;
      },
    };
  },
};

/** The method's name for a file's numbers: from a header; a file of the build step gets it from its folder. */
class Names {
  /** The last name, and the file it came from. */
  #last = UNNAMED;
  #file = "";
  /** For each name, the first file with it. */
  #owners = new Map<string, string>();

  readonly #findings: Findings;
  constructor(findings: Findings) {
    this.#findings = findings;
  }

  begin(header: Fields, file: string): void {
    const said = nameIn(textOrNull(header["algorithm"]) ?? "");
    const plain = said || this.#last;
    let name = plain;
    for (let n = 2; (this.#owners.get(name) ?? file) !== file; n++) name = `${plain}-${n}`;
    if (name !== plain) this.#findings.note(unipoWords.another(name, file));
    this.#owners.set(name, file);
    this.#last = name;
    this.#file = file;
    noteHeader(this.#findings, name, header);
  }

  of(file: string): string {
    const folder = /([^\\/]+)[\\/]step-\d+\.json$/.exec(file)?.[1];
    return file !== this.#file && folder !== undefined ? nameIn(folder) : this.#last;
  }
}

function nameIn(text: string): string {
  const name = text.trim().toLowerCase();
  return Object.hasOwn(NAMES, name) ? NAMES[name]! : name;
}

const isWhole = (value: Fields) => isRecord(value["header"]) && listOf(value["entries"]) !== null;
const isHeader = (value: Fields) => value["type"] === "header" && "algorithm" in value;
const isStep = (value: Fields) =>
  iterationNumber(value["step"]) !== null &&
  (isRecord(value["metrics"]) || listOf(value["prompts"]) !== null);

function noteHeader(findings: Findings, algorithm: string, header: Fields): void {
  findings.unread(unknownIn(header, KNOWN.header));
  const found = unipoSettings(algorithm, header);
  if (found?.said) findings.settings(algorithm, found.said, found.missing);
  if (found) findings.note(found.note);
}

function takeEntry(findings: Findings, algorithm: string, entry: Fields): boolean {
  const step = iterationNumber(entry["step"]);
  if (step === null) return false;
  if (isRecord(entry["metrics"])) {
    if (numberOf(entry["metrics"]["reward"]) !== null) findings.note(unipoWords.ownReward);
    findings.metrics(algorithm, step, metricsOf(entry["metrics"]));
  }
  const prompts = recordsIn(entry["prompts"], findings);
  if (prompts.length > 0) findings.note(unipoWords.oneTurn);
  else if (algorithm === UNNAMED) findings.note(unipoWords.bare);
  prompts.forEach((group, p) => {
    for (const response of recordsIn(group["responses"], findings)) {
      findings.episode(algorithm, step, episodeOfTrajectory(algorithm, group, response, p));
      findings.unread(unknownIn(response, KNOWN.response));
      if (isRecord(response["tokens"]))
        findings.unread(unknownIn(response["tokens"], KNOWN.tokens));
    }
  });
  return true;
}

function recordsIn(value: unknown, findings: Findings): Fields[] {
  const all = listOf(value) ?? [];
  const records = all.filter(isRecord);
  if (records.length < all.length) findings.warn(words.oddEntries);
  return records;
}

/** Under their own names; the mean reward also under the name that curves use. A null was not measured. */
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
    // Before a response, the state is its first token's prefix.
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

/** A turn's target is that of its first token that has one, like its value. */
function firstOf(list: readonly unknown[] | null): number | null {
  return list?.map(numberOf).find((one) => one !== null) ?? null;
}

function tokensOfStep(columns: Fields): ForeignToken[] {
  // A token without its text is shown by its id.
  const ids = listOf(columns["ids"])?.map((id) => `#${numberOf(id) ?? "?"}`);
  const strings = listOf(columns["strings"]) ?? ids ?? [];
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

/** Older logs contain probabilities; UNIPO's own build step takes their logarithm too. */
function logOfProbability(probability: number | null): number | null {
  return probability !== null && probability > 0 ? log(probability) : null;
}

// A method's settings in the header of a UNIPO log, under the names used here.

/** The usual names in UNIPO's `hparams`, which are free-form. */
const HPARAMS = {
  gamma: ["gamma"],
  lambda: ["gae_lambda", "lambda", "lam"],
  epsLow: ["clip_eps_low", "clip_low", "clip_eps", "cliprange"],
  epsHigh: ["clip_eps_high", "clip_high", "clip_eps", "cliprange"],
  betaKl: ["kl_coef"],
} as const;
type Hyperparameter = keyof typeof HPARAMS;

/** The settings and notes on them, or why they are not used; null if the header has none. */
function unipoSettings(
  algorithm: string,
  header: Fields,
): { said: SaidSettings | null; missing: string[]; note: string } | null {
  const hparams = isRecord(header["hparams"]) ? header["hparams"] : {};
  const set = readSet(hparams);
  if (Object.keys(set).length === 0) return null;
  const groupSize = iterationNumber(hparams["group_size"]);
  const found = checkedSettings(algorithm, set, groupSize);
  if (!found) return { said: null, missing: [], note: unipoWords.oddSettings };
  const { missing } = found;
  const note =
    missing.length > 0 ? unipoWords.missingSettings(missing) : unipoWords.settings(set, groupSize);
  return { ...found, note };
}

function readSet(hparams: Fields): Partial<Record<Hyperparameter, number>> {
  const entries = Object.entries(HPARAMS).flatMap(([name, theirs]) => {
    const value = theirs.map((one) => numberOf(hparams[one])).find((one) => one !== null);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
