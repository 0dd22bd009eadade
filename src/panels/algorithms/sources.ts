/** Source files of the algorithms, loaded on demand. */
import { resolveAlgorithm } from "../../spec/algorithms.ts";
import { estimatorFacts } from "../../method/estimators.ts";
import { createPart } from "../../ui/parts/part.ts";

export const sources = createPart(
  "sourceTexts",
  async () => (await import("./sourceTexts.ts")).sourceTexts,
);

export const readings = createPart(
  "readingTexts",
  async () => (await import("./readingTexts.ts")).readingTexts,
);

/** The rows whose algorithm can be read in one file, from rewards to gradients. */
export const READ_ROWS = ["grpo", "token-ppo", "turn-ppo"] as const;
export type ReadRow = (typeof READ_ROWS)[number];

/** That file's text. */
export function readableText(name: ReadRow, texts: Readonly<Record<string, string>>): string {
  return texts[`../../algorithm/reading/${fileOf(name)}`]!.trimEnd();
}

/** The file of a row in src/method/estimator: that of its estimator, which rows may share. */
export function fileOf(name: string): string {
  return `${estimatorFacts(resolveAlgorithm(name).estimator).lesson}.ts`;
}

/** Text of a row's file; null if it has none. */
export function sourceOf(name: string, texts: Readonly<Record<string, string>>): string | null {
  return texts[`../../method/estimator/${fileOf(name)}`] ?? null;
}
