/**
 * Tables of completions: TRL's (Parquet, W&B, trackio), verl's and OpenRLHF's in W&B, and any with
 * a prompt, an answer and a score.
 */
import { evaluationIn } from "./sources.ts";
import type { Findings, Format } from "./foreign.ts";
import type { FileSource } from "./sources.ts";
import { textCell, isRolloutRow, takeRow, tableRows } from "./rows.ts";
import { promptAndAnswer, spokenTurns } from "./spoken.ts";
import { isRecord } from "../../spec/jsonText.ts";
import { namesInOrder, numberOf, sumKnown, type Fields } from "./values.ts";

/** What the page says of tables. */
const tableWords = {
  sum: (names: readonly string[]) =>
    `TRL's table lacks the weights of its reward functions (${names.join(", ")}): each counts with weight 1.`,
  sample: "OpenRLHF logs one rollout of each step, without the others of its group.",
} as const;

/** TRL: `prompt`, `completion`, one column for each reward function, `advantage`. */
function isTrl(row: unknown): row is Fields {
  return (
    isRecord(row) &&
    typeof row["prompt"] === "string" &&
    typeof row["completion"] === "string" &&
    "advantage" in row &&
    trlRewards(row).length > 0
  );
}

function trlRewards(row: Fields): string[] {
  const names = Object.keys(row);
  const between = names.slice(names.indexOf("completion") + 1, names.indexOf("advantage"));
  return between.filter((name) => typeof row[name] === "number" || row[name] === null);
}

const isOpenRlhf = (row: unknown): row is Fields =>
  isRecord(row) && typeof row["text"] === "string" && "reward" in row && "global_step" in row;

const isVerlTable = (row: unknown): row is Fields =>
  isRecord(row) && "input_1" in row && "output_1" in row && "score_1" in row;

const isTableRow = (row: unknown): row is Fields =>
  isTrl(row) || isOpenRlhf(row) || isVerlTable(row);

export const tables: Format = {
  apart: "nothing",
  fits: (value) =>
    isTableRow(value) ||
    tableRows(value)?.some((row) => isTableRow(row) || isRolloutRow(row)) === true,
  reader(findings) {
    const taskName = namesInOrder("prompt");
    return {
      take(value, file) {
        const rows = isTableRow(value) ? [value] : tableRows(value);
        if (!rows) return false;
        const taken = rows.filter((row) => takeTableRow(row, file, findings, taskName));
        return taken.length > 0;
      },
    };
  },
};

function takeTableRow(
  row: Fields,
  file: FileSource,
  findings: Findings,
  taskName: (key: string) => string,
): boolean {
  if (isTrl(row)) {
    const names = trlRewards(row);
    if (names.length > 1) findings.assume(tableWords.sum(names));
    const rewards = Object.fromEntries(names.map((name) => [name, numberOf(row[name])]));
    const reward = sumKnown(Object.values(rewards).filter((one) => one !== null));
    takeRow(row, "TRL", file, findings, taskName, { reward, more: { rewards } });
    return true;
  }
  if (isVerlTable(row)) {
    for (let i = 1; `output_${i}` in row; i++) {
      const [prompt, completion] = [row[`input_${i}`], row[`output_${i}`]];
      const cells = { prompt, completion, score: row[`score_${i}`], step: row["step"] };
      if (typeof completion === "string")
        takeRow(cells, "verl-validation", file, findings, taskName, { more: { split: "eval" } });
    }
    return true;
  }
  if (isOpenRlhf(row)) {
    const [prompt, answer] = promptAndAnswer(textCell(row, "text"), findings);
    findings.note(tableWords.sample);
    const conversation = spokenTurns(prompt, answer, findings);
    takeRow(row, "OpenRLHF", file, findings, taskName, { conversation });
    return true;
  }
  if (!isRolloutRow(row)) return false;
  const isEval = evaluationIn(file.name);
  const run = isEval ? "table-validation" : "table";
  takeRow(row, run, file, findings, taskName, isEval ? { more: { split: "eval" } } : {});
  return true;
}
