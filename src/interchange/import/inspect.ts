/** Inspect's logs: JSON with all samples, or an `.eval` archive with a file for each; epochs of a sample are a group. */
import { turnsOfMessages } from "./conversation.ts";
import { bareEpisode, type Findings, type Format } from "./foreign.ts";
import { isRecord } from "../../spec/jsonText.ts";
import { listOf, nameFrom, numberOf, type Fields } from "./values.ts";

/** What the page says of Inspect's logs. */
const inspectWords = {
  grades: "Inspect's grades count as C 1, P 0.5, I and N 0.",
  first: (names: readonly string[]) =>
    `Samples have several scores (${names.join(", ")}): the first is the reward.`,
} as const;

const GRADES: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

const isSample = (value: unknown): value is Fields =>
  isRecord(value) && "epoch" in value && listOf(value["messages"]) !== null;

const samplesOf = (value: unknown): Fields[] | null => {
  if (isSample(value)) return [value];
  if (!isRecord(value) || !isRecord(value["eval"])) return null;
  return listOf(value["samples"])?.filter(isSample) ?? null;
};

export const inspect: Format = {
  apart: "nothing",
  fits: (value) => samplesOf(value) !== null,
  repeats: (name, names) => {
    const stem = name.replace(/\.json$/, "");
    return stem !== name && names.some((other) => other.startsWith(`${stem}/samples/`));
  },
  reader: (findings) => ({
    take(value) {
      const samples = samplesOf(value);
      for (const sample of samples ?? []) takeSample(sample, findings);
      return samples !== null;
    },
  }),
};

function takeSample(sample: Fields, findings: Findings): void {
  const scores = isRecord(sample["scores"]) ? sample["scores"] : {};
  const rewards = Object.fromEntries(
    Object.entries(scores).map(([name, score]) => [name, gradeOf(score, findings)]),
  );
  const names = Object.keys(rewards);
  if (names.length > 1) findings.assume(inspectWords.first(names));
  const { turns, last } = turnsOfMessages(sample["messages"]);
  findings.episode(
    "Inspect",
    0,
    bareEpisode(`sample ${nameFrom(sample["id"]) ?? "?"}`, rewards[names[0] ?? ""] ?? null, turns, {
      finalObservation: last,
      id: `${nameFrom(sample["id"]) ?? "?"}/${nameFrom(sample["epoch"]) ?? "?"}`,
      split: "eval",
      ...(names.length > 1 && { rewards }),
    }),
  );
}

function gradeOf(score: unknown, findings: Findings): number | null {
  const value = isRecord(score) ? score["value"] : score;
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "string") return numberOf(value);
  if (Object.hasOwn(GRADES, value)) {
    findings.assume(inspectWords.grades);
    return GRADES[value]!;
  }
  return null;
}
