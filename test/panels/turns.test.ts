import { describe, expect, it } from "vitest";
import { panelWords } from "../../src/panels/shared/strings.ts";
import { targetText, valueText } from "../../src/panels/turns/criticNumber.ts";
import { stretchAt as stretchOf } from "../../src/numeric/stretch.ts";
import { TURNS_DRAWN } from "../../src/panels/turns/TurnList.tsx";

const stretchAt = (turn: number, count: number) => stretchOf(turn, count, TURNS_DRAWN);

const words = panelWords.turns;

describe("the turns that are drawn", () => {
  it("are all of a short episode, and of a long one a stretch with the cursor's turn", () => {
    expect(stretchAt(3, 5)).toEqual({ from: 0, to: 5 });
    expect(stretchAt(0, 0)).toEqual({ from: 0, to: 0 });
    const seen = new Set<number>();
    for (let turn = 0; turn < 50; turn++) {
      const { from, to } = stretchAt(turn, 50);
      expect(from <= turn && turn < to && to - from <= TURNS_DRAWN).toBe(true);
      for (let h = from; h < to; h++) seen.add(h);
    }
    expect(seen.size).toBe(50);
    expect(stretchAt(49, 50)).toEqual({ from: 48, to: 50 });
    // A cursor beyond the end, as one of another episode.
    expect(stretchAt(80, 50)).toEqual({ from: 48, to: 50 });
  });

  it("stay where they are while the cursor moves among them", () => {
    const { from, to } = stretchAt(17, 50);
    for (let turn = from; turn < to; turn++) expect(stretchAt(turn, 50)).toEqual({ from, to });
    expect(stretchAt(to, 50).from).toBe(to);
  });
});

describe("value and target of a turn", () => {
  const none = { value: null, return: null };
  const own = { absent: null, hasCritic: true };

  it("are not numbers where the method has a critic and the log has none", () => {
    expect(valueText(none, own)).toBe("not a number");
    expect(targetText(none, own)).toBe("not a number");
    expect(valueText({ value: 1.5, return: -2 }, own)).toBe("+1.500");
    expect(targetText({ value: 1.5, return: -2 }, own)).toBe("\u22122.000");
  });

  it("are missing for want of a critic, of a target, or of a number in a file", () => {
    const without = { absent: null, hasCritic: false };
    expect([valueText(none, without), targetText(none, without)]).toEqual(
      Array(2).fill(words.noCritic),
    );
    expect(targetText({ value: 1, return: null }, own)).toBe(words.noTarget);
    const file = { absent: words.notInFile, hasCritic: false };
    expect([valueText(none, file), targetText({ value: 1, return: null }, file)]).toEqual(
      Array(2).fill(words.notInFile),
    );
    expect(valueText({ value: NaN, return: null }, file)).toBe(words.notInFile);
  });
});
