import { describe, expect, it } from "vitest";
import type { Block, FigureInput } from "../../src/figures/figure.ts";
import { numberCells, turnsPanel } from "../../src/figures/turns/turns.ts";
import { words } from "../../src/figures/turns/words.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import type { TurnRecord } from "../../src/record/runEvent.ts";
import { LATEST, resolveChoice } from "../../src/store/turnChoice.ts";
import { creditEvents } from "../fixtures/creditRun.ts";
import { chained } from "../fixtures/syntheticRun.ts";

const log = new RunLog();
for (const event of chained(creditEvents())) log.append(event);
const at = resolveChoice(log, { ...LATEST, algorithm: "turn-ppo" });
const record = at.episodes[at.episode]!;

function shown(origin: "live" | "imported", seen: RunLog = log) {
  const place = seen === log ? at : resolveChoice(seen, LATEST);
  return turnsPanel.figure({ view: { log: seen, origin }, at: place } as FigureInput, null);
}

const gridOf = (all: readonly Block[]) => {
  const [grid] = all.filter(({ kind }) => kind === "grid");
  if (grid?.kind !== "grid") throw new Error("There is no table.");
  return grid;
};

describe("the turns of an episode", () => {
  it("are rows with board, response and numbers, which lead to their turns", () => {
    const all = shown("live");
    const grid = gridOf(all);
    expect(grid.count).toBe(record.turns.length);
    expect(grid.current).toBe(at.turn);
    record.turns.forEach((turn, h) => {
      const [board, response, ...numbers] = grid.row(h).cells;
      expect(board).toMatchObject({ id: "board", given: { observation: turn.observation } });
      expect(response).toMatchObject({ text: turn.text });
      expect(numbers.slice(0, 3)).toEqual([turn.value, turn.reward, turn.advantage]);
      expect(grid.go!(h)).toEqual({ episode: at.episode, turn: h });
    });
    const { head, rows } = grid.whole!();
    expect(head).toEqual(["Turn", "V(s)", "Reward", "Advantage", "Return", "Ratio"]);
    expect(rows[0]!.slice(0, 3)).toEqual([1, record.turns[0]!.value, record.turns[0]!.reward]);
    expect(all.at(-1)).toMatchObject({ given: { observation: record.finalObservation } });
  });

  it("are summed up in a sentence", () => {
    const texts = shown("live").flatMap((block) => (block.kind === "text" ? block.text : []));
    expect(texts[0]).toMatch(/^Level \d+: \d+ turns?, (not )?solved.*, total reward [+−]?\d.*\.$/);
    expect(shown("live", new RunLog()).map((block) => "id" in block && block.id)).toEqual([
      ...["toolbar", "none"],
    ]);
  });
});

describe("value and target of a turn", () => {
  const own = { absent: null, hasCritic: true, isForked: false };
  const cells = (turn: Partial<TurnRecord>, source: Parameters<typeof numberCells>[1]) => {
    const [value, , , target] = numberCells({ ...record.turns[0]!, ...turn }, source);
    return [value, target];
  };
  const none = { value: null, return: null };

  it("are not numbers where the method has a critic and the log has none", () => {
    expect(cells(none, own)).toEqual(["not a number", "not a number"]);
    expect(cells({ value: 1.5, return: -2 }, own)).toEqual([1.5, -2]);
  });

  it("are missing for want of a critic, of a target, or of a number in a file", () => {
    const without = { ...own, hasCritic: false };
    expect(cells(none, without)).toEqual([words.noCritic, words.noCritic]);
    expect(cells({ value: 1, return: null }, own)[1]).toBe(words.noTarget);
    const file = { ...without, absent: words.notInFile };
    expect(cells(none, file)).toEqual([words.notInFile, words.notInFile]);
    expect(cells({ value: 1, return: null }, file)[1]).toBe(words.notInFile);
    expect(cells({ value: NaN, return: null }, file)[0]).toBe(words.notInFile);
    const fork = { absent: words.notInFork, hasCritic: true, isForked: true };
    expect(cells(none, fork)).toEqual([words.noCritic, words.notInFork]);
  });

  it("stand beside a ratio that says whether it is clipped", () => {
    const ratio = (turn: Partial<TurnRecord>) =>
      numberCells({ ...record.turns[0]!, ratio: 1.5, ...turn }, own)[4];
    expect(ratio({ clipped: false })).toBe(1.5);
    expect(ratio({ clipped: true })).toEqual({ value: 1.5, more: words.clipped });
    expect(ratio({ clipped: null })).toEqual({ value: 1.5, more: words.clipNotInFile });
    expect(ratio({ ratio: NaN, clipped: null })).toBe("not a number");
  });
});
