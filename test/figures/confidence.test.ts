/** The confidence panel: its measures on turns with known answers, and what it says of a run. */
import { describe, expect, it } from "vitest";
import { confidencePanel } from "../../src/figures/confidence/confidence.ts";
import {
  sureBins,
  surenessOf,
  sureTurns,
  type SureTurn,
} from "../../src/figures/confidence/sure.ts";
import type { Block } from "../../src/figures/figure.ts";
import { runWhole } from "../../src/numeric/sliced.ts";
import { confidenceOf } from "../../src/reading/confidence.ts";
import { RunLog, viewOf } from "../../src/reading/log/runLog.ts";
import { LATEST, resolveChoice } from "../../src/store/turnChoice.ts";
import { creditEvents } from "../fixtures/creditRun.ts";
import { chained } from "../fixtures/syntheticRun.ts";

const turn = (confidence: number, isSolved: boolean): SureTurn => ({
  ...{ iteration: 1, episode: 0, turn: 0, confidence, isSolved },
});

describe("measures", () => {
  it("takes the geometric mean of the tokens' probabilities", () => {
    expect(confidenceOf([0.5, 0.125].map(Math.log))).toBeCloseTo(0.25, 12);
    expect(confidenceOf([])).toBeNull();
    expect(confidenceOf([NaN, -1])).toBeNull();
  });

  it("has Wilson's interval for the share of a bin", () => {
    // 8 of 10: 0.490 to 0.943 (Newcombe 1998, table I has such pairs).
    const turns = Array.from({ length: 20 }, (_, i) => turn(i < 10 ? 0.2 : 0.9, i % 10 < 8));
    const [low, high] = sureBins(turns);
    expect(low).toMatchObject({ n: 10, y: 0.8 });
    expect(low!.x).toBeCloseTo(0.2, 12);
    expect(high!.x).toBeCloseTo(0.9, 12);
    expect(low!.low).toBeCloseTo(0.4902, 4);
    expect(low!.high).toBeCloseTo(0.9433, 4);
    // (10 |0.8 - 0.2| + 10 |0.8 - 0.9|) / 20
    expect(surenessOf(turns).error).toBeCloseTo(0.35, 12);
    expect(sureBins(turns.slice(0, 19))).toEqual([]);
  });

  it("counts the pairs that confidence tells apart", () => {
    const of = (...pairs: [number, boolean][]) =>
      surenessOf(pairs.map(([x, solved]) => turn(x, solved))).tells;
    expect(of([0.9, true], [0.8, true], [0.3, false])).toBe(1);
    expect(of([0.1, true], [0.3, false])).toBe(0);
    expect(of([0.5, true], [0.5, false])).toBe(0.5);
    expect(of([0.9, true], [0.2, true], [0.5, false])).toBe(0.5);
    expect(of([0.9, true], [0.2, true])).toBeNull();
  });
});

const log = new RunLog();
for (const event of chained(creditEvents())) log.append(event);
const view = viewOf(log, "recorded");
const at = resolveChoice(log, { ...LATEST, algorithm: "turn-ppo" });

it("says how sure the method was over the last iterations, and lists every turn", () => {
  const read = runWhole(sureTurns(log, "turn-ppo", at.iteration, 5));
  const episodes = read.iterations.flatMap((n) => [...log.episodes("turn-ppo", n)]);
  expect(read.turns.length + read.without).toBe(
    episodes.reduce((sum, { turns }) => sum + turns.length, 0),
  );
  expect(read.turns.length).toBeGreaterThan(0);
  const figure = confidencePanel.figure(
    { view, at, set: { span: "5" }, held: {}, truths: {}, brush: null },
    read,
  );
  const find = (id: string) => figure.find((block: Block) => "id" in block && block.id === id);
  const { confidence } = surenessOf(read.turns);
  expect(find("confidence-summary")).toMatchObject({
    text: expect.stringContaining(`Mean confidence ${(100 * confidence).toFixed(1)}`),
  });
  const table = find("confidence-points-table") as unknown as { rows: () => unknown[][] };
  expect(table.rows()).toHaveLength(read.turns.length);
});

it("says why there is nothing to show", () => {
  const read = { turns: [], iterations: [], without: 0 };
  const [block] = confidencePanel.figure(
    { view, at, set: { span: "5" }, held: {}, truths: {}, brush: null },
    read,
  );
  expect(block).toMatchObject({ look: "empty", text: expect.stringContaining("Turn-PPO") });
});
