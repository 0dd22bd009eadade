/** The opening page's figure: what the rule chooses from the shipped recording, and what the strip says of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readEpisodes } from "../../src/cli/record/openingCommand.ts";
import { cropOf } from "../../src/panels/shared/crop.ts";
import { movesOf } from "../../src/panels/shared/moves.ts";
import { spreadInWords } from "../../src/figures/spread.ts";
import { happened, signedCredit } from "../../src/panels/opening/strip.ts";
import { readOpening } from "../../src/reading/opening.ts";
import { openingOf } from "../../src/reading/openingChoice.ts";
import { OPENING_METHODS } from "../../src/reading/openingMethods.ts";
import { readColumnar } from "../../src/reading/log/columnar.ts";
import type { RunLog } from "../../src/reading/log/runLog.ts";
import type { Truths } from "../../src/reading/truths.ts";

const pages = join(import.meta.dirname, "../../public");
const shipped = readOpening(readFileSync(join(pages, "figures/opening.json"), "utf8"));

describe("the rule", () => {
  let log: RunLog;
  let truths: Truths;

  beforeAll(async () => {
    const folder = join(pages, "runs/nano");
    const text = readFileSync(join(folder, "recording.json"), "utf8");
    const read = (name: string) =>
      Promise.resolve(new Uint8Array(readFileSync(join(folder, name))));
    const recording = await readColumnar(text, read);
    log = recording.log;
    await readEpisodes(log);
    truths = recording.source.truths;
  });

  it("chooses the shipped figure from the shipped recording", () => {
    const { command, fingerprint } = shipped;
    expect(openingOf(log, truths, { command, fingerprint })).toEqual(shipped);
  });

  it("chooses nothing where no true value is known", () => {
    expect(openingOf(log, {}, shipped)).toBeNull();
  });

  it("gives each method a number for each turn, of an episode that was solved", () => {
    const { turns, credits, truth } = shipped;
    expect(Object.keys(credits)).toEqual([...OPENING_METHODS]);
    for (const row of [...Object.values(credits), truth.advantage, truth.low, truth.high])
      expect(row).toHaveLength(turns.length);
    expect(log.episodes("grpo", shipped.at.iteration)[shipped.at.episode]!.success).toBe(true);
    truth.advantage.forEach((value, h) => {
      expect(truth.low[h]!).toBeLessThanOrEqual(value);
      expect(truth.high[h]!).toBeGreaterThanOrEqual(value);
    });
  });
});

describe("arrows", () => {
  const board = ["#####", "#_O_#", "#_X_#", "#_P_#", "#####"].join("\n");

  it("go where the player goes, and say where something is in the way", () => {
    const [up, left, again] = movesOf(`Turns left: 3\n${board}`, ["Up", "left", "Left"]);
    expect(up).toEqual({ x: 2, y: 3, dx: 0, dy: -1, blocked: false });
    expect(left).toEqual({ x: 2, y: 2, dx: -1, dy: 0, blocked: false });
    expect(again).toMatchObject({ x: 1, blocked: true });
  });

  it("are none where there is no board", () => {
    expect(movesOf("a page of a shop", ["Up"])).toEqual([]);
    expect(movesOf("#####\n#___#\n#####", ["Up"])).toEqual([]);
    expect(movesOf(board, ["click[buy]"])).toEqual([]);
  });
});

describe("the strip", () => {
  const board = (...rows: string[]) => rows.join("\n");
  const start = board("#####", "#_O_#", "#_X_#", "#_P_#", "#####");

  it.each([
    ["pushes it onto the target", board("#####", "#_√_#", "#_P_#", "#___#", "#####")],
    ["walks", board("#####", "#_O_#", "#_X_#", "#P__#", "#####")],
    ["walks into a wall", start],
    ["pushes the box", board("#####", "#_O_#", "#X__#", "#_P_#", "#####")],
    ["", "no board at all"],
  ])("says that a turn %s", (what, after) => expect(happened(start, after)).toBe(what));

  it("shows what is not wall on any board, and a rim", () => {
    expect(cropOf([start])).toEqual({ top: 0.5, left: 0.5, width: 4, height: 4 });
    expect(cropOf(["text"])).toBeNull();
  });

  it.each([
    [[2.47, 2.47, 2.47], "every turn the same"],
    [[2.39, 2.38, 2.7], "nearly the same"],
    [[0.4, 2.53, 0.96], "turn 2 most"],
    [[-0.1, -0.1], "every turn the same"],
  ])("says of credits %j: %s", (credits, words) => expect(spreadInWords(credits)).toBe(words));

  it.each([
    [0.4, "+0.40"],
    [-2.345, "−2.35"],
    [-0.001, "0.00"],
  ])("writes %s as %s", (value, text) => expect(signedCredit(value)).toBe(text));
});
