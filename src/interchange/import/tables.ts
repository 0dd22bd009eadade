/**
 * Tables of completions: TRL's (Parquet, W&B, trackio), verl's and OpenRLHF's in W&B, and any with
 * a prompt, an answer and a score.
 */
import { greatest } from "../../numeric/lists.ts";
import { evaluationIn } from "./sources.ts";
import type { Findings, Format } from "./foreign.ts";
import type { FileSource } from "./sources.ts";
import { hasConversation, isRolloutRow, tableRows, takeRow, textCell } from "./rows.ts";
import { promptAndAnswer, spokenTurns } from "./spoken.ts";
import { isRecord } from "../../spec/jsonText.ts";
import { digest, namesInOrder, numberOf, sumKnown, type Fields } from "./values.ts";

/** What the page says of tables. */
const tableWords = {
  sum: (names: readonly string[]) =>
    `TRL's table lacks the weights of its reward functions (${names.join(", ")}): each counts with weight 1.`,
  unlike: (names: readonly string[]) =>
    `TRL's advantages do not rise with the sum of ${names.join(", ")}: these have other weights, or some are no rewards. ` +
    "Advantages are shown as they are; rewards are not to be trusted.",
  sample: "OpenRLHF logs one rollout of each step, without the others of its group.",
} as const;

/** TRL: `prompt`, `completion`, one column for each reward function, `advantage`. */
function isTrl(row: unknown): row is Fields {
  return (
    hasConversation(row) &&
    "prompt" in row &&
    "completion" in row &&
    "advantage" in row &&
    trlRewards(row).length > 0
  );
}

/** Numbers of a row's place, and what else is no reward. */
const PLACES = ["step", "global_step", "epoch", "index"];
const NO_REWARD = new Set([...PLACES, "prompt", "completion", "advantage"]);

/** Columns of numbers between completion and advantage, as TRL writes them; any where the order is another. */
function trlRewards(row: Fields): string[] {
  const names = Object.keys(row);
  const [from, to] = [names.indexOf("completion") + 1, names.indexOf("advantage")];
  const between = from < to ? names.slice(from, to) : names;
  const isNumber = (name: string) => typeof row[name] === "number" || row[name] === null;
  return between.filter((name) => !NO_REWARD.has(name) && isNumber(name));
}

/** Rounding of float32, as a share. */
const ROUNDING = 1e-4;

/** Rewards and advantages of each group: within one, a larger reward has a larger advantage. */
class CreditOrder {
  readonly #groups = new Map<string, [reward: number, advantage: number][]>();
  #names: readonly string[] = [];

  add(group: string, reward: number | null, advantage: number | null, names: readonly string[]) {
    if (reward === null || advantage === null) return;
    this.#names = names;
    const pairs = this.#groups.get(group) ?? [];
    this.#groups.set(group, pairs);
    pairs.push([reward, advantage]);
  }

  /** At the end of a file. */
  check(findings: Findings): void {
    const isOdd = [...this.#groups.values()].some((pairs) => {
      const byReward = pairs.sort(([a, c], [b, d]) => a - b || c - d);
      const size = greatest(byReward.map(([, advantage]) => Math.abs(advantage)));
      return byReward.some(([, advantage], i) => {
        const before = i > 0 ? byReward[i - 1]![1] : advantage;
        return advantage < before - ROUNDING * size;
      });
    });
    if (isOdd) findings.warn(tableWords.unlike(this.#names));
    this.#groups.clear();
  }
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
    const order = new CreditOrder();
    return {
      take(value, file) {
        const rows = isTableRow(value) ? [value] : tableRows(value);
        if (!rows) return false;
        const taken = rows.filter((row) => takeTableRow(row, file, findings, taskName, order));
        return taken.length > 0;
      },
      endFile: () => order.check(findings),
    };
  },
};

function takeTableRow(
  row: Fields,
  file: FileSource,
  findings: Findings,
  taskName: (key: string) => string,
  order: CreditOrder,
): boolean {
  if (isTrl(row)) {
    const names = trlRewards(row);
    if (names.length > 1) findings.assume(tableWords.sum(names));
    const rewards = Object.fromEntries(names.map((name) => [name, numberOf(row[name])]));
    const reward = sumKnown(Object.values(rewards).filter((one) => one !== null));
    const prompt = JSON.stringify([row["step"], row["prompt"]]);
    order.add(digest(prompt), reward, numberOf(row["advantage"]), names);
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
