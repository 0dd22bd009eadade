import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACTIONS, parseBoard, renderBoard } from "../../../src/env/sokoban/board.ts";
import { generateLevel } from "../../../src/env/sokoban/generate.ts";
import { parseResponse } from "../../../src/env/sokoban/parseResponse.ts";
import { SokobanEnv, SOKOBAN_DEFAULTS } from "../../../src/env/sokoban/sokobanEnv.ts";
import { InputError } from "../../../src/numeric/inputError.ts";
import { golden } from "./golden.ts";

const level = parseBoard("######\n#P___#\n#_X__#\n#__O_#\n#____#\n######");

describe("parseResponse", () => {
  it.each(golden.ragen_response_parsing)("parses as RAGEN: $note", (testCase) => {
    const { enable_think, max_actions_per_turn, response, actions, stored_response } = testCase;
    const parsed = parseResponse(response, enable_think, max_actions_per_turn);
    expect(parsed).toEqual({ names: actions, stored: stored_response });
  });

  it("takes the first answer anywhere when no thinking is asked for, across line breaks", () => {
    const text =
      "I think <think>x</think> so <answer>\nUp ||\n left </answer> <answer>Down</answer>";
    expect(parseResponse(text, false, 5).names).toEqual(["Up", "left"]);
    expect(parseResponse(text, true, 5).names).toEqual([]);
  });
});

describe("SokobanEnv", () => {
  it.each(golden.ragen_turn_episodes)("plays RAGEN's episode: $id", (episode) => {
    const env = new SokobanEnv({
      level: parseBoard(episode.level.join("\n")),
      think: episode.enable_think,
      maxActionsPerTurn: episode.max_actions_per_turn,
      maxActions: episode.max_actions_per_traj,
      formatPenalty: episode.format_penalty,
    });
    env.reset(0);
    let penalties = 0;
    let score = 0;
    for (const turn of episode.turns) {
      const { observation, reward, terminated, truncated, info } = env.step(turn.response);
      penalties += info.formatPenalty;
      score += reward;
      expect(observation).toBe(turn.next_state.join("\n"));
      expect(info.actions.map((action) => ACTIONS.indexOf(action) + 1)).toEqual(
        turn.executed_action_ids,
      );
      expect(info.envReward).toBeCloseTo(turn.turn_reward, 9);
      expect(reward).toBe(info.envReward + info.formatPenalty);
      expect(penalties).toBeCloseTo(turn.penalty_total, 9);
      expect(info.actionsLeft).toBe(turn.actions_left);
      expect(terminated || truncated).toBe(turn.finished);
      // RAGEN calls a used-up budget "terminated and truncated"; Gymnasium's flags exclude each
      // other.
      expect(truncated).toBe(turn.truncated);
      expect(terminated).toBe(turn.terminated && !turn.truncated);
      expect(info.success).toBe(terminated);
    }
    expect(score).toBeCloseTo(episode.episode_score_with_penalty, 9);
  });

  it("truncates, and never terminates, when the turns are used up", () => {
    const env = new SokobanEnv({ level, maxTurns: 2 });
    expect(env.reset(0).info).toMatchObject({ actionsLeft: 10, turnsLeft: 2 });
    expect(env.step("")).toMatchObject({ reward: -0.1, terminated: false, truncated: false });
    expect(env.step("<answer>Up</answer>")).toMatchObject({
      reward: -0.1,
      terminated: false,
      truncated: true,
      info: { formatPenalty: 0, actionsLeft: 9, turnsLeft: 0 },
    });
    expect(() => env.step("")).toThrow("ended");
  });

  it("terminates when the last action of the last turn solves the level", () => {
    const env = new SokobanEnv({ level, maxTurns: 1, maxActions: 5 });
    env.reset(0);
    const result = env.step("<answer>Right||Down||Left||Down||Right</answer>");
    expect(result).toMatchObject({ terminated: true, truncated: false, reward: 10.5 });
    expect(result.info).toMatchObject({ success: true, boxesOnTarget: 1, actionsLeft: 0 });
  });

  // pddlgym#93: walking into a wall of a solved level earned the success bonus.
  it("refuses a level whose goal holds at the start", () => {
    const solved = parseBoard("####\n#P√#\n####");
    expect(() => new SokobanEnv({ level: solved })).toThrow(
      "level is already solved: all its boxes (1) are on targets; at least one must not be",
    );
    expect(() => new SokobanEnv({ level: parseBoard("####\n#P_#\n####") })).toThrow("boxes (0)");
  });

  it("drops names beyond the turn's limit unseen, and penalises unknown ones once", () => {
    const env = new SokobanEnv({ level, maxActionsPerTurn: 3 });
    env.reset(0);
    expect(env.step("<answer>Up||Up||Up||Jump</answer>").info).toMatchObject({
      actions: ["Up", "Up", "Up"],
      formatPenalty: 0,
    });
    const { info, reward } = env.step("<answer>jump||DOWN||fly</answer>");
    expect(info).toMatchObject({ actions: ["Down"], formatPenalty: -0.1, envReward: -0.1 });
    expect(reward).toBe(-0.2);
  });

  it("generates the level of the seed that reset is given", () => {
    const env = new SokobanEnv();
    const { board } = generateLevel(10000, SOKOBAN_DEFAULTS);
    expect(env.reset(10000).observation).toBe(renderBoard(board));
    expect(env.reset(10001).observation).not.toBe(renderBoard(board));
    expect(() => env.reset(-1)).toThrow(InputError);
  });

  it.each([
    [{ maxTurns: 0 }, "maxTurns is 0"],
    [{ maxActions: 1.5 }, "maxActions is 1.5"],
    [{ maxActionsPerTurn: NaN }, "maxActionsPerTurn is NaN"],
    [{ formatPenalty: -Infinity }, "formatPenalty is -Infinity"],
  ])("refuses %o", (options, message) => {
    expect(() => new SokobanEnv(options)).toThrow(message);
  });
});

const word = fc.oneof(
  fc.constantFrom("Up", "down", "LEFT", "Right", "||", " ", "<answer>", "</answer>", "<think>"),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const response = fc.oneof(
  fc.array(word, { maxLength: 12 }).map((words) => words.join("")),
  fc
    .array(fc.constantFrom(...ACTIONS), { maxLength: 7 })
    .map((names) => `<answer>${names.join("||")}</answer>`),
);

describe("any episode", () => {
  it("takes any text until its end, with flags and budgets that fit together", () => {
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.array(response, { minLength: 5, maxLength: 5 }),
        (seed, texts) => {
          const env = new SokobanEnv();
          let left = env.reset(seed).info.actionsLeft;
          for (const [turn, text] of texts.entries()) {
            const { info, terminated, truncated, reward } = env.step(text);
            left -= info.actions.length;
            expect(info.actionsLeft).toBe(left);
            expect(info.success).toBe(terminated);
            expect(truncated).toBe(!terminated && (left === 0 || turn === 4));
            expect(Number.isFinite(reward)).toBe(true);
            if (terminated || truncated) break;
          }
          expect(() => env.step("")).toThrow("ended");
        },
      ),
      { numRuns: 300 },
    );
  });

  it("has the same future after snapshot and restore, through JSON and in another instance", () => {
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.array(response, { maxLength: 5 }),
        fc.nat(4),
        (seed, texts, at) => {
          const env = new SokobanEnv();
          env.reset(seed);
          const other = new SokobanEnv();
          let saved: string | undefined;
          const futures: unknown[] = [];
          for (const [turn, text] of texts.entries()) {
            if (turn === at) saved = JSON.stringify(env.snapshot());
            const result = env.step(text);
            if (turn >= at) futures.push(result);
            if (result.terminated || result.truncated) break;
          }
          if (saved === undefined) return;
          other.restore(JSON.parse(saved));
          expect(texts.slice(at, at + futures.length).map((text) => other.step(text))).toEqual(
            futures,
          );
          expect(other.snapshot()).toEqual(env.snapshot());
        },
      ),
      { numRuns: 200 },
    );
  });
});
