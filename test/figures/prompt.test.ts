/** The token panel's prompts beside what policies are really asked, and long texts in parts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countsOf, firstOf, promptOf } from "../../src/figures/tokens/prompt.ts";
import { FIRST_LETTERS, MORE_LETTERS, stretchesOf } from "../../src/numeric/longText.ts";
import { words } from "../../src/figures/tokens/words.ts";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import { openGame, playTurn } from "../../src/runtime/services/asked.ts";
import { type OpenGame } from "../../src/runtime/services/game.ts";
import { validateSpec, type ExperimentSpec } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { taskFamilyOf } from "../../src/train/warmStart.ts";
import type { Player } from "../../src/train/oracle/branches.ts";

type Preset = "nano" | "webshop-class" | "frozenlake" | "bandit";

const specOf = (preset: Preset, context: "full" | "turn", think = false): ExperimentSpec => {
  const spec = presetSpec(preset);
  const { environment } = spec;
  // Turns enough for every response.
  const lengthened = environment.kind === "bandit" ? { ...environment, maxTurns: 5 } : environment;
  const thinking = environment.kind === "webshop" ? { ...environment, think } : lengthened;
  return validateSpec({ ...spec, context, environment: thinking });
};

const SAID = {
  nano: [["Up"], ["Left", "Left"], ["Down"], ["Right"]],
  // To where the ice is, or off it: no turn of these ends the game.
  frozenlake: [["Up"], ["Up", "Up"], ["Up"]],
  bandit: [["nobody"], ["nobody"], ["nobody"]],
  "webshop-class": [["search[red shoes]"], ["click[next >]"], ["click[back to search]"]],
};

/** An episode as it is played, whose second response is cut off, and how a log tells it. */
function played(spec: ExperimentSpec, preset: Preset): { game: OpenGame; record: EpisodeRecord } {
  const { world } = taskFamilyOf(spec);
  const player = { world } as Player;
  const task = { name: "task", seed: 11 };
  const game = openGame(player, task);
  SAID[preset].forEach((said, h) => {
    const ids = world.prompter.respond(said, game.state.info);
    playTurn(player, game, h === 1 ? ids.slice(0, -1) : ids);
  });
  const turns = game.turns.map(({ observation, text, actions, responseIds }) => ({
    ...{ observation, text, actions },
    tokens: responseIds.map((id) => ({ id, text: world.prompter.tokenText(id) })),
  }));
  const record = { ...{ trajectory: 0, task: task.name, seed: task.seed }, turns };
  return { game, record: record as unknown as EpisodeRecord };
}

describe.each([
  ["nano", "turn", false],
  ["nano", "full", false],
  ["frozenlake", "turn", false],
  ["frozenlake", "full", false],
  ["bandit", "full", false],
  ["webshop-class", "turn", false],
  ["webshop-class", "full", true],
] as const)("the prompts of %s in %s context (think: %s)", (preset, context, think) => {
  const spec = specOf(preset, context, think);
  const { game, record } = played(spec, preset);
  const { prompter } = taskFamilyOf(spec).world;
  const textOf = (ids: readonly number[]) => ids.map(prompter.tokenText);

  it("are token for token what the policy was asked, with what it said before where it sees that", () => {
    expect(game.turns.length).toBeGreaterThan(2);
    game.turns.forEach(({ queryIds }, h) => {
      const { parts, problem } = promptOf(spec, record, h);
      expect(problem).toBeNull();
      const before = context === "full" ? game.turns.slice(0, h) : [];
      const wanted = before.flatMap((turn) => [textOf(turn.queryIds), textOf(turn.responseIds)]);
      expect(parts!.map(({ tokens }) => tokens)).toEqual([...wanted, textOf(queryIds)]);
      expect(parts!.at(-1)).toMatchObject({ turn: h, who: "environment" });
      const said = before.reduce((sum, turn) => sum + turn.responseIds.length, 0);
      expect(countsOf(parts!).model).toBe(said);
    });
  });
});

describe("a prompt that is not known", () => {
  const spec = specOf("nano", "full");
  const { record } = played(spec, "nano");
  const without = (change: object) =>
    ({ ...record, turns: record.turns.map((turn) => ({ ...turn, ...change })) }) as EpisodeRecord;

  it("has a sentence that says why", () => {
    expect(promptOf(undefined, record, 1).problem).toBe(words.promptOfOthers);
    const foreign = { ...spec, environment: { kind: "imported" } as never };
    expect(promptOf(foreign, record, 1).problem).toBe(words.promptOfOthers);
    expect(promptOf(spec, without({ tokens: [] }), 1).problem).toBe(words.promptWithoutTokens);
    expect(promptOf(spec, without({ actions: null }), 1).problem).toBe(words.promptWithoutActions);
    expect(promptOf(spec, without({ observation: undefined }), 1).problem).toMatch(
      /^Unknown: the observation/,
    );
    // The first turn has nothing before it.
    expect(promptOf(spec, without({ tokens: [], actions: null }), 0).problem).toBeNull();
    const shop = specOf("webshop-class", "turn");
    const page = played(shop, "webshop-class").record;
    expect(promptOf(shop, { ...page, seed: page.seed + 1 }, 1).problem).toMatch(
      /differs from the recorded one/,
    );
  });
});

it("the first tokens of a prompt are limited in all, whichever messages they are from", () => {
  const parts = [3, 0, 4, 2].map((n, turn) => ({
    ...{ turn, who: "model" as const },
    tokens: Array.from({ length: n }, (_, i) => `${turn}.${i}`),
  }));
  expect(firstOf(parts, 5).map(({ tokens }) => tokens.length)).toEqual([3, 2]);
  expect(firstOf(parts, 100).flatMap(({ tokens }) => tokens)).toHaveLength(9);
  expect(firstOf(parts, 0)).toEqual([]);
});

describe("a long text", () => {
  it("is told in parts that are the whole text in the end, none longer than a part may be", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "é", "\n", "😀"), maxLength: 40 });
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 0, max: 1500 }),
        fc.integer({ min: 1, max: 6 }),
        (...x) => {
          const [piece, times, count] = x;
          const whole = piece.repeat(times);
          const { parts, left } = stretchesOf(whole, count);
          expect(parts.join("")).toBe(whole.slice(0, whole.length - left));
          expect(parts.length).toBeLessThanOrEqual(count);
          parts.forEach((part, i) => {
            expect(part.length).toBeLessThanOrEqual(i === 0 ? FIRST_LETTERS : MORE_LETTERS);
            expect(part).not.toMatch(/[\ud800-\udbff]$/);
          });
          if (left > 0) expect(parts).toHaveLength(count);
        },
      ),
    );
  });

  it("is cut where a line ends", () => {
    const lines = "a line of a page\n".repeat(1000);
    const { parts, left } = stretchesOf(lines, 2);
    expect(parts.every((part) => part.endsWith("\n"))).toBe(true);
    expect(left).toBe(lines.length - parts[0]!.length - parts[1]!.length);
    expect(stretchesOf("", 3)).toEqual({ parts: [], left: 0 });
    expect(stretchesOf("short", 1)).toEqual({ parts: ["short"], left: 0 });
  });
});
