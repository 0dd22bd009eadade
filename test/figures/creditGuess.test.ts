/** Credits by token: the truth is hidden until the reader guesses. */
import { expect, it } from "vitest";
import { creditsPanel, type CreditsRead } from "../../src/figures/credits/credits.ts";
import { credits } from "../../src/figures/credits/manifest.ts";
import type { BarsBlock, Block, FigureInput, NumbersBlock } from "../../src/figures/figure.ts";
import { runWhole } from "../../src/numeric/sliced.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { truthKey, type Bounds, type EpisodeTruth } from "../../src/reading/truths.ts";
import { LATEST, resolveChoice } from "../../src/store/turnChoice.ts";
import { chained } from "../fixtures/syntheticRun.ts";
import { talkerEvents } from "../fixtures/talkerRun.ts";

const log = new RunLog();
for (const event of chained(talkerEvents())) log.append(event);

type Seen = FigureInput<typeof credits.settings>;
const { quantity, rows, set } = credits.settings;
const at = resolveChoice(log, { ...LATEST, algorithm: "turn-ppo", turn: 1 });
const { turns, trajectory } = at.episodes[0]!;
const BEST = 2;
const truth = (solved?: boolean, best: Bounds = [8, 9]): EpisodeTruth => ({
  turns: turns.map((_, h) => ({
    ...{ value: 1, valueInterval: [0, 2] },
    ...{
      advantage: h === BEST ? 8.46 : -0.98,
      advantageInterval: h === BEST ? best : [-1.1, -0.8],
    },
    ...(solved && { solved: h === BEST ? ([0.14, 0.95] as const) : ([0.2, 0.14] as const) }),
  })),
});

function figure(held: Seen["held"] = {}, of = truth(true), grain: "token" | "turn" = "token") {
  const key = truthKey(at.algorithm, at.iteration, trajectory);
  const seen = {
    ...{ view: { log, origin: "live" }, at, held, truths: { [key]: of } },
    set: { quantity: quantity.start, rows: rows.start, set: set.start, grain },
  } as unknown as Seen;
  const read = runWhole(creditsPanel.reads!.work(seen, () => {})) as CreditsRead;
  return creditsPanel.figure(seen, read);
}

const table = (blocks: readonly Block[]) => blocks.find(({ kind }) => kind === "bars") as BarsBlock;
const truthRow = (blocks: readonly Block[]) => table(blocks).rows.find(({ id }) => id === "truth")!;
const numbers = (blocks: readonly Block[]) =>
  blocks.find(({ kind }) => kind === "numbers") as NumbersBlock;
const said = (blocks: readonly Block[]) => table(blocks).guess!.says.replaceAll("\u00a0", " ");

/** What a press on a cover holds. */
function guessing(turn: number): Seen["held"] {
  const [first, second] = truthRow(figure()).cells[turn]!.cover!.by;
  expect(second).toEqual({ to: { episode: 0, turn: BEST, token: null } });
  return (first as { choose: Seen["held"] }).choose;
}

it("hides every true number, and asks", () => {
  const hidden = figure();
  expect(truthRow(hidden)).toMatchObject({ among: [], notes: ["your guess first"] });
  expect(truthRow(hidden).cells.map(({ value, cover }) => [value, cover?.says])).toEqual(
    turns.map((_, h) => [null, `Guess turn ${h + 1}`]),
  );
  expect(said(hidden)).toBe(
    `Which turn earned most? Choose one or press 1 to ${turns.length}. Then you see the true credit.`,
  );
  const exact = numbers(hidden);
  const rest = JSON.stringify([exact.says, exact.columns, exact.rows()]);
  expect(JSON.stringify(truthRow(hidden)) + rest).not.toContain("8.46");
  expect(rest).not.toContain("Truth");
});

it("says after a guess whether it was right, and which share solves the task before and after", () => {
  const why = "Before turn 3, 14.0 % of continuations solve the task, after it 95.0 %.";
  expect(said(figure(guessing(BEST)))).toBe(`Yes: turn 3. ${why}`);
  const wrong = figure(guessing(1));
  expect(said(wrong)).toBe(`Not turn 2: turn 3 earned most. ${why}`);
  expect(table(wrong).guess!.hidden).toBeNull();
  expect(truthRow(wrong).cells.map(({ value }) => value)).toEqual(
    turns.map((_, h) => (h === BEST ? 8.46 : -0.98)),
  );
  expect(numbers(wrong).columns.map(({ name }) => name)).toContain("Truth");
});

it("says if the sign of the best credit is uncertain", () => {
  expect(said(figure(guessing(1), truth(true, [-0.1, 9])))).toMatch(
    /after it 95.0 %. Whether turn 3 earned anything is uncertain.$/,
  );
});

it("can be revealed without a guess", () => {
  const { what, by } = table(figure()).guess!.hidden!;
  expect(what).toBe("the true credit");
  expect(said(figure((by as { choose: Seen["held"] }).choose))).toMatch(/^Before turn 3, 14/);
});

it("names the true credits where shares are unknown", () => {
  expect(said(figure(guessing(1), truth()))).toBe(
    "Not turn 2: turn 3 earned most. Turn 3 raised the expected reward by +8.46; turn 2 changed it by −0.98.",
  );
});

it("says of the cursor's turn which share solves the task, where its true credit is seen", () => {
  const solved = (blocks: readonly Block[]) =>
    blocks.flatMap((one) => (one.kind === "text" && one.id === "credits-solved" ? one.text : []));
  const [text] = solved(figure({}, truth(true), "turn"));
  expect(text!.replaceAll("\u00a0", " ")).toBe(
    "Before turn 2, 20.0 % of continuations solve the task, after it 14.0 %.",
  );
  expect(solved(figure({}, truth(), "turn"))).toEqual([
    "Turn 2 changed the expected reward by −0.98.",
  ]);
  // By token it would give the answer away.
  expect(solved(figure())).toEqual([]);
});

it("asks by token only, and for each episode anew", () => {
  expect(table(figure({}, truth(true), "turn")).guess).toBeUndefined();
  expect(Object.keys(guessing(1))).toEqual(["guess|turn-ppo|2|0|"]);
});
