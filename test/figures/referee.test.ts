/** The referee's page as data, and its kept file. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Block, Figure, GridBlock } from "../../src/figures/figure.ts";
import {
  bestFirst,
  readReport,
  REFEREE_FILE,
  refereeRows,
  SHOWN_MEASURES,
} from "../../src/figures/referee/recorded.ts";
import { refereeChoice, refereeFigure } from "../../src/figures/referee/referee.ts";
import { refereeLines } from "../../src/reading/referee/report.ts";
import { openCourt } from "../../src/reading/referee/score.ts";
import { refereeTasks } from "../../src/reading/referee/tasks.ts";
import { algorithmNames, resolveAlgorithm } from "../../src/spec/algorithms.ts";

const path = join(import.meta.dirname, "../../public", REFEREE_FILE);
const text = readFileSync(path, "utf8");
const report = readReport(text);

const figure = (chosen: Record<string, string> = {}) =>
  refereeFigure(report, refereeChoice(report, chosen));
const find = <K extends Block["kind"]>(of: Figure, kind: K, id?: string) =>
  of.find(
    (block): block is Extract<Block, { kind: K }> =>
      block.kind === kind && (id === undefined || ("id" in block && block.id === id)),
  )!;
const rowsOf = (grid: GridBlock) => Array.from({ length: grid.count }, (_, i) => grid.row(i));

test("the kept file is small, has every task and 5 seeds, and its numbers are those of its command", () => {
  expect(existsSync(path)).toBe(true);
  expect(text.length).toBeLessThan(300_000);
  expect(report.tasks.map(({ name }) => name)).toEqual(refereeTasks.map(({ name }) => name));
  expect(report.seeds).toBe(5);
  // A row that is new in the table has no lines yet; none is of a row that there is not.
  const kept = new Set(report.lines.map(({ row }) => row));
  expect([...kept].filter((row) => !algorithmNames.includes(row))).toEqual([]);
  expect(kept.size).toBeGreaterThanOrEqual(26);
  expect(report.lines.length).toBeGreaterThanOrEqual(kept.size * report.tasks.length);
  const court = openCourt(
    refereeTasks.find(({ name }) => name === "alias")!,
    5,
    report.episodes,
  );
  const own = ({ task, row }: { task: string; row: string }) =>
    task === "alias" && row === "turn-ppo";
  expect(refereeLines(court, resolveAlgorithm("turn-ppo"))).toEqual(report.lines.filter(own));
}, 60_000);

test("rows with equal lines are one, and each measure puts its best first", () => {
  const rows = refereeRows(report, "cosine", "learned");
  expect(rows.find(({ names }) => names.includes("grpo"))!.names).toContain("gspo");
  const [perfect, learned] = (["perfect", "learned"] as const).map((critic) =>
    refereeRows(report, "bias", critic).find(({ names }) => names.includes("token-ppo")),
  );
  expect(perfect!.mean).toBeLessThan(learned!.mean!);
  for (const [measure, best] of [
    ["cosine", "most"],
    ["bias", "least"],
  ] as const) {
    const ordered = bestFirst(refereeRows(report, measure, "learned"), measure, null);
    const means = ordered.map(({ mean }) => mean!);
    const sorted = means.toSorted((a, b) => (best === "most" ? b - a : a - b));
    expect(means).toEqual(sorted);
  }
});

test("the figure shows the chosen measure, orders by a game, and gives the chosen line with its command", () => {
  for (const measure of SHOWN_MEASURES) {
    const grid = find(figure({ measure }), "grid", "referee-rows");
    expect(grid.columns).toHaveLength(report.tasks.length + 1);
    for (const { cells } of rowsOf(grid)) expect(cells).toHaveLength(report.tasks.length + 1);
  }
  const chosen = figure({ task: "luck", row: "turn-ppo", critic: "learned", sort: "luck" });
  const grid = find(chosen, "grid", "referee-rows");
  const column = grid.columns.findIndex(({ sort }) => sort!.id === "luck");
  expect(grid.columns[column]!.sort!.now).toBe("down");
  const numbers = rowsOf(grid).map(({ cells }) => Number((cells[column] as { text: string }).text));
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  expect(rowsOf(grid)[grid.current]!.name).toContain("Turn-PPO");
  const line = find(chosen, "grid", "referee-line");
  expect(line.label).toBe("Turn-PPO on A lucky guess");
  expect(rowsOf(line).map(({ id }) => id)).toEqual([...SHOWN_MEASURES]);
  expect(find(chosen, "text", "referee-command").command).toBe(
    "npm run -s turnbook -- referee --task luck --algorithm turn-ppo --critic learned",
  );
});

test("bold are the best of a column and all that its interval cannot tell from it", () => {
  const grid = find(figure({ measure: "cosine", sort: "tool" }), "grid", "referee-rows");
  const column = 1 + report.tasks.findIndex(({ name }) => name === "tool");
  const rows = bestFirst(refereeRows(report, "cosine", "learned"), "cosine", "tool");
  const [, bestLow] = rows[0]!.lines.get("tool")!.cosine;
  const reaches = rows.map(({ lines }) => lines.get("tool")!.cosine[2]! >= bestLow!);
  const isBold = rowsOf(grid).map(({ cells }) => "look" in (cells[column] as object));
  expect(isBold).toEqual(reaches);
  expect(isBold.filter(Boolean).length).toBeGreaterThan(1);
  expect(isBold).toContain(false);
  // The mean has no interval of its own: the same digits are level.
  const means = rowsOf(find(figure(), "grid", "referee-rows")).map(({ cells }) => cells[0]);
  const [first] = means as { text: string; look?: string }[];
  for (const mean of means as { text: string; look?: string }[])
    expect(mean.look === "strong").toBe(mean.text === first!.text);
});

test("an address that names what there is not shows what there is", () => {
  expect(refereeChoice(report, { task: "no", row: "no", critic: "no", measure: "no" })).toEqual({
    task: report.tasks[0]!.name,
    row: report.lines[0]!.row,
    critic: "learned",
    measure: "cosine",
    sort: null,
  });
});

test("a file of another shape is refused", () => {
  expect(() => readReport('{"lines":[]}')).toThrow();
  expect(() => readReport(JSON.stringify({ ...report, seeds: "5" }))).toThrow();
});

test("README says what the kept file says", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const over = (row: string, critic: string | null, measure: "bias" | "finds" | "limit") =>
    report.lines.flatMap((line) =>
      line.row === row && line.critic === critic && !("refused" in line) ? [line[measure][0]!] : [],
    );
  const average = (x: number[]) => x.reduce((sum, one) => sum + one, 0) / x.length;
  const percent = (x: number) => `${Math.round(100 * x)} %`;
  const [bias, found] = (["bias", "finds"] as const).map((of) => average(over("grpo", null, of)));
  const turn = average(over("turn-ppo", "learned", "finds"));
  expect(readme).toContain(`${bias!.toFixed(1)} times the squared bias of crediting nothing`);
  expect(readme).toContain(`in ${percent(found!)} of episodes, Turn-PPO's in ${percent(turn)}`);
  expect(Math.min(...over("rloo", null, "limit"))).toBeGreaterThanOrEqual(0.98);
  expect(Math.min(...over("turn-ppo-gem", "learned", "limit"))).toBeGreaterThanOrEqual(0.98);
  const lowest = (row: string, critic: string | null) =>
    Math.min(...over(row, critic, "limit")).toFixed(2);
  expect(readme).toContain(`GRPO down to ${lowest("grpo", null)}`);
  expect(readme).toContain(`Turn-PPO down to ${lowest("turn-ppo", "learned")}`);
  expect(over("mt-grpo", null, "limit").filter((x) => x !== null && x < 0)).toHaveLength(3);
});
