import { describe, expect, it } from "vitest";
import { parseBoard, renderBoard } from "../../../src/env/sokoban/board.ts";
import { noisyBoard, slipped } from "../../../src/env/sokoban/sokobanEnv.ts";
import { SokobanEnv } from "../../../src/env/sokoban/sokobanEnv.ts";
import { validateSpec } from "../../../src/spec/experiment.ts";
import { presetSpec } from "../../../src/spec/presets.ts";

const text = "######\n#P___#\n#_X__#\n#__O_#\n#____#\n######";
const level = parseBoard(text);
const say = (...moves: string[]) => `<answer>${moves.join("||")}</answer>`;

describe("pay", () => {
  it("takes the step's cost and the bonus from the options, sums exact", () => {
    const env = new SokobanEnv({
      ...{ level, maxActions: 10, maxActionsPerTurn: 5, stepCost: -0.3, successBonus: 2 },
    });
    env.reset(0);
    expect(env.step(say("Right", "Down", "Left")).reward).toBe(-0.9);
    expect(env.step(say("Down", "Right")).reward).toBe(-0.6 + 1 + 2);
  });

  it("is gym-sokoban's without them", () => {
    const env = new SokobanEnv({ level, maxTurns: 1 });
    env.reset(0);
    expect(env.step(say("Right", "Down", "Left", "Down", "Right")).reward).toBe(10.5);
  });
});

describe("actions per turn, at least", () => {
  it("makes a shorter turn bad form, but plays it", () => {
    const env = new SokobanEnv({ level, minActionsPerTurn: 2, maxActionsPerTurn: 2 });
    env.reset(0);
    const { info, reward } = env.step(say("Right"));
    expect(info).toMatchObject({ actions: ["Right"], formatPenalty: -0.1 });
    expect(reward).toBe(-0.2);
    expect(env.step(say("Down", "Left")).info.formatPenalty).toBe(0);
  });

  it("is refused above the most", () => {
    const spec = presetSpec("nano");
    const environment = { ...spec.environment, minActionsPerTurn: 3 };
    expect(() => validateSpec({ ...spec, environment })).toThrow(
      "environment.minActionsPerTurn is 3; it must be at most maxActionsPerTurn = 2",
    );
  });
});

describe("slip", () => {
  it("sends the share it says elsewhere, to all other directions alike", () => {
    const counts = { Up: 0, Down: 0, Left: 0, Right: 0 };
    for (let chance = 0; chance < 8000; chance++) counts[slipped(["Up"], 0.3, chance)[0]!]++;
    expect(counts.Up / 8000).toBeCloseTo(0.7, 1);
    for (const other of ["Down", "Left", "Right"] as const) {
      expect(counts[other] / 8000).toBeGreaterThan(0.085);
      expect(counts[other] / 8000).toBeLessThan(0.115);
    }
  });

  it("comes out the same with the same chance, and differs with another", () => {
    const after = (chance: number) => {
      const env = new SokobanEnv({ level, slip: 0.9 });
      env.reset(0);
      return env.step(say("Right", "Right", "Down"), chance).info.actions.join();
    };
    const all = Array.from({ length: 20 }, (_, chance) => after(chance));
    expect(all).toEqual(Array.from({ length: 20 }, (_, chance) => after(chance)));
    expect(new Set(all).size).toBeGreaterThan(5);
  });

  it("follows from the seed and the turn where no chance is given, also after restoring", () => {
    const env = new SokobanEnv({ level, slip: 0.9, maxTurns: 9 });
    env.reset(7);
    env.step(say("Right"));
    const saved = JSON.parse(JSON.stringify(env.snapshot())) as ReturnType<typeof env.snapshot>;
    const first = env.step(say("Down", "Left"));
    const other = new SokobanEnv({ level, slip: 0.9, maxTurns: 9 });
    other.restore(saved);
    expect(other.step(say("Down", "Left"))).toEqual(first);
  });

  it.each(["slip", "observationNoise"])("refuses a %s that is not a probability", (name) => {
    expect(() => new SokobanEnv({ [name]: 1.5 })).toThrow(`${name} is 1.5`);
  });
});

describe("observation noise", () => {
  it("shows the share of inner cells it says wrongly, never border or player", () => {
    let wrong = 0;
    for (let chance = 0; chance < 500; chance++) {
      const shown = noisyBoard(level, 0.2, chance);
      for (const [i, symbol] of [...shown].entries()) wrong += Number(symbol !== text[i]);
      expect(parseBoard(shown).player).toBe(level.player);
    }
    // Fifteen of the sixteen inner cells can be wrong.
    expect(wrong / (500 * 15)).toBeCloseTo(0.2, 1);
  });

  it("leaves the board itself as it is", () => {
    const env = new SokobanEnv({ level, observationNoise: 1 });
    expect(env.reset(1).observation).not.toBe(text);
    expect(renderBoard(env.board)).toBe(text);
    const { observation } = env.step(say("Right"), 3);
    expect(env.snapshot().board).toBe("######\n#_P__#\n#_X__#\n#__O_#\n#____#\n######");
    expect(observation).not.toBe(env.snapshot().board);
  });

  it("has snapshots of old without chance", () => {
    const env = new SokobanEnv({ level });
    env.reset(1);
    expect(Object.keys(env.snapshot())).toEqual(["board", "actionsLeft", "turnsLeft", "ended"]);
  });
});
