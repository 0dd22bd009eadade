/** An episode as a chat: what is a thought and what an answer, whether they fit, and what is folded. */
import { describe, expect, it } from "vitest";
import {
  chatOf,
  FIRST_FOLDS,
  isThoughtOpen,
  withThoughtFold,
  type ChatTurn,
} from "../../src/figures/tokens/chat.ts";
import { askedCounts, countsOf, promptOf } from "../../src/figures/tokens/prompt.ts";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import { spoken } from "../../src/runtime/services/asked.ts";
import { taskFamilyOf } from "../../src/train/warmStart.ts";
import { creditEpisodes, creditSpec } from "../fixtures/creditRun.ts";
import { talkerEpisode, talkerSpec } from "../fixtures/talkerRun.ts";

const spec = talkerSpec();
const episode = talkerEpisode(spec, 94);
const chat = chatOf(spec, episode);

/** The text of the tokens of a role. */
const said = (role: ChatTurn["roles"][number], h: number) =>
  episode.turns[h]!.tokens.filter((_, t) => chat[h]!.roles[t] === role)
    .map(({ text }) => text)
    .join("");

describe("a chat", () => {
  it("has what came of the turn before, and what is left", () => {
    expect(chat.map(({ reward }) => reward)).toEqual([
      null,
      ...episode.turns.slice(0, -1).map(({ reward }) => reward),
    ]);
    expect(chat.map(({ turnsLeft }) => turnsLeft)).toEqual([5, 4, 3, 2, 1]);
    expect(chat.map(({ movesLeft }) => movesLeft)).toEqual([10, 9, 7, 6, 6]);
    const unknown = episode.turns.map((turn) => ({ ...turn, actions: null }));
    expect(chatOf(spec, { ...episode, turns: unknown })[1]!.movesLeft).toBeNull();
    expect(chatOf(undefined, episode)[0]).toMatchObject({ movesLeft: null, turnsLeft: null });
  });

  it("tells thought, answer and tags apart, token by token", () => {
    expect(said("thought", 1)).toBe(chat[1]!.thought);
    expect(said("answer", 1)).toBe("Down || Down");
    expect(said("tag", 1)).toBe("</think><answer></answer><|im_end|>");
    expect(episode.turns[1]!.text).toContain(`<think>${chat[1]!.thought}</think>`);
  });

  it("has a thought that never closes, up to its end", () => {
    expect(episode.turns[3]!.text).not.toContain("</think>");
    expect(said("thought", 3).trim()).toBe(chat[3]!.thought);
    expect(said("answer", 3)).toBe("");
  });

  it("shows text without a thought as it is, with or without tokens", () => {
    const [first] = creditEpisodes("turn-ppo");
    const [turn] = chatOf(creditSpec(), first!);
    expect(turn).toMatchObject({ thought: null, marks: [] });
    expect(turn!.roles).toEqual(["answer", "answer", "answer", "tag"]);
    const [bare] = chatOf(undefined, {
      ...episode,
      turns: [{ ...episode.turns[0]!, tokens: [], text: "<think>so</think>Up" }],
    });
    expect(bare).toMatchObject({ thought: "so", roles: [], marks: [] });
  });
});

describe("its marks", () => {
  const marks = (of: EpisodeRecord = episode, run = spec) =>
    chatOf(run, of).map((turn) => turn.marks.map(({ isGood, text }) => `${isGood} ${text}`));
  const with0 = (change: object) =>
    marks({ ...episode, turns: [{ ...episode.turns[0]!, ...change }] })[0];

  it("say whether a thought fits its answer, and the board", () => {
    expect(marks()).toEqual([
      ["true as the thought says", "false thought misreads the board"],
      ["false thought says Down", "true thought fits the board"],
      ["true as the thought says", "true thought fits the board"],
      ["false thought never closes"],
      ["true as the thought says", "true thought fits the board"],
    ]);
  });

  it("say that a thought is none, or cannot be read", () => {
    expect(with0({ text: "Up" })).toEqual(["false no thought"]);
    expect(with0({ text: "<think>hm</think><answer>Up</answer>" })).toEqual([
      "false thought cannot be read",
    ]);
  });

  it("are none without a board, or where no thought is asked for", () => {
    expect(with0({ observation: "a page" })).toEqual([]);
    const silent = { ...spec, environment: { ...spec.environment, thought: 0 } } as typeof spec;
    expect(marks(episode, silent).flat()).toEqual([]);
  });
});

it("opens the thought at the cursor, others by key, all at once", () => {
  const open = (folds: string, here = 1) =>
    [0, 1, 2].filter((turn) => isThoughtOpen(folds, turn, here));
  expect(open(FIRST_FOLDS)).toEqual([1]);
  expect(open(withThoughtFold(FIRST_FOLDS, 1, false))).toEqual([]);
  const both = withThoughtFold(withThoughtFold(FIRST_FOLDS, 1, true), 2, true);
  expect(open(both, 0)).toEqual([0, 1, 2]);
  expect(open(withThoughtFold(both, 2, false), 0)).toEqual([0, 1]);
  expect(open("all")).toEqual([0, 1, 2]);
  expect(open("none")).toEqual([]);
});

it("counts the environment's tokens of each turn, as its prompt has them", () => {
  const counts = askedCounts(spec, episode)!;
  expect(counts[0]!).toBeGreaterThan(200);
  episode.turns.forEach((_, h) => {
    const { parts } = promptOf(spec, episode, h);
    const asked = counts.slice(0, h + 1).reduce((sum, count) => sum + count, 0);
    expect(countsOf(parts!).environment).toBe(asked);
  });
  expect(askedCounts(undefined, episode)).toBeNull();
});

it("hears a typed thought, and answers with or without tags", async () => {
  const { world } = taskFamilyOf(spec);
  const player = { world } as Parameters<typeof spoken>[0];
  const state = {} as Parameters<typeof spoken>[2];
  const hear = async (text: string) =>
    (await spoken(player, text, state, { seed: 1, iteration: 0 }))
      .map(world.prompter.tokenText)
      .join("");
  const answer = "<answer>Up || Left</answer><|im_end|>";
  expect(await hear("<think>go up, left.</think><answer>Up || Left</answer>")).toBe(
    `go up, left.</think>${answer}`,
  );
  expect(await hear("<think>go up.</think> Up||Left")).toBe(`go up.</think>${answer}`);
  expect(await hear("Up || Left")).toBe(`</think>${answer}`);
});
