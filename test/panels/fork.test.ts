/** The fork panel's numbers and its pencil. */
import { describe, expect, it } from "vitest";
import { parseBoard, renderBoard } from "../../src/env/sokoban/board.ts";
import { boardNote } from "../../src/panels/shared/ask/boardNote.ts";
import { words as askWords } from "../../src/panels/shared/ask/words.ts";
import { draw, isBoard, problemOf } from "../../src/panels/fork/boardEdit.ts";
import {
  creditsAt,
  creditsWanted,
  draftOf,
  lacksProcess,
  questionOf,
  samplesOf,
} from "../../src/panels/fork/forkView.ts";
import { advantageMarks } from "../../src/panels/fork/advantageMarks.ts";
import { axisFor } from "../../src/panels/fork/PictureAxis.tsx";
import { sameDraws } from "../../src/panels/fork/sameDraws.ts";
import { stacks } from "../../src/panels/fork/spread.ts";
import { words } from "../../src/panels/fork/words.ts";
import { creditOf, isKnown } from "../../src/reading/credit/rowCredit.ts";
import { howOf, ownRow } from "../../src/reading/credit/rows.ts";
import type { EpisodeRecord, RunEvent } from "../../src/record/runEvent.ts";
import type { ForkAnswer } from "../../src/runtime/questions.ts";
import type { ForkedEpisode } from "../../src/record/forkedEpisode.ts";
import { TRUTH_BRANCHES } from "../../src/store/findTruth.ts";
import type { Fork } from "../../src/store/forkTypes.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { creditEvents } from "../fixtures/creditRun.ts";

const BOARD = ["#####", "#PXO#", "#__S#".replace("S", "_"), "#####"].join("\n");

describe("returns in a picture", () => {
  it("are stacked without losing any, the largest included", () => {
    const all = stacks([0, 0, 10, 5, 5.01], 20, 0, 10);
    expect(all.map(({ count }) => count)).toEqual([2, 2, 1]);
    expect(all[0]!.value).toBe(0);
    expect(all[1]!.value).toBeCloseTo(5.005, 12);
    expect(stacks([3, 3, 3], 20, 3, 3)).toEqual([{ value: 3, count: 3 }]);
  });
});

describe("the axis of a picture", () => {
  it("holds 0 and all numbers, with round ticks, 0 among them", () => {
    const { ends, ticks, at } = axisFor([-0.57, 10.4, NaN, Infinity]);
    expect(ends).toEqual([-0.57, 10.4]);
    expect(ticks).toEqual([0, 5, 10]);
    expect(at(-0.57)).toBeLessThan(at(0));
    expect(axisFor([3.1, 9.9]).ends[0]).toBe(0);
    expect(axisFor([-2, -1]).ticks).toContain(0);
  });

  it("has a place for 0 where there is nothing else", () => {
    for (const none of [[], [0, 0], [NaN]]) {
      const { ticks, at } = axisFor(none);
      expect(ticks).toEqual([0]);
      expect(Number.isFinite(at(0))).toBe(true);
    }
  });
});

describe("advantages in a picture", () => {
  const said = (name: string, advantage: number | null) => ({
    ...{ name, title: name, advantage, reason: null, over: null },
  });
  const truth = { mean: -0.1, low: -0.6, high: 0.4 };
  const titles = { truth: "true", trained: "as trained", algorithm: "grpo" };

  it("are the true one with its interval, what training used, and what can be computed", () => {
    const all = [said("a", 0.5), said("b", null), said("d", -1)];
    const marks = advantageMarks({ truth, trained: 0.3, said: all }, titles);
    expect(marks.map(({ kind, value }) => [kind, value])).toEqual([
      ...[["truth", -0.1] as const, ["trained", 0.3] as const],
      ...[["computed", 0.5] as const, ["computed", -1] as const],
    ]);
    expect(marks[0]).toMatchObject({ low: -0.6, high: 0.4 });
    expect(marks[2]).toMatchObject({ low: 0.5, high: 0.5 });
    expect(new Set(marks.map(({ name }) => name)).size).toBe(marks.length);
    expect(advantageMarks({ truth, trained: null, said: [] }, titles)).toHaveLength(1);
  });
});

describe("a fork beside the truth of its turn", () => {
  const truthBy = (trained: number, branches: number) => ({
    ...{ turns: [], found: { trained, branches, gamma: 1, steps: "turn" as const } },
  });
  const fork = (branches: number) => ({ trained: 2, branches });

  it("says whether the numbers are the same, fewer, more, or another policy's", () => {
    expect(sameDraws(fork(64), truthBy(2, 64))).toBe(words.sameDraws(64));
    expect(sameDraws(fork(16), truthBy(2, 64))).toBe(words.fewerDraws(16, 64));
    expect(sameDraws(fork(256), truthBy(2, 64))).toBe(words.moreDraws(256, 64));
    expect(sameDraws(fork(64), truthBy(2, 8))).toBe(words.moreDraws(64, 8));
    expect(sameDraws(fork(64), truthBy(3, 64))).toContain("after 3 iterations");
  });

  it("says it under a condition while no truth is known: the live policy may be a later one", () => {
    for (const truth of [null, { turns: [] }]) {
      const same = sameDraws(fork(TRUTH_BRANCHES), truth);
      expect(same).toMatch(/^While the live policy is still .* after 2 iterations/);
      expect(same).toContain(words.sameDraws(TRUTH_BRANCHES));
      expect(sameDraws(fork(1), truth)).toMatch(/^While/);
    }
  });
});

describe("the board's pencil", () => {
  it("draws boards that can be read back", () => {
    let board = draw(BOARD, "player", 2, 1);
    expect(board.split("\n")[1]).toBe("#_XO#");
    expect(board.split("\n")[2]).toBe("#P__#");
    board = draw(board, "box", 1, 3);
    expect(board.split("\n")[1]).toBe("#_X√#");
    board = draw(board, "target", 1, 2);
    expect(board.split("\n")[1]).toBe("#_√√#");
    expect(problemOf(board)).toContain("solved already");
    expect(renderBoard(parseBoard(board))).toBe(board);
  });

  it("keeps the border and the one player", () => {
    expect(draw(BOARD, "floor", 0, 2)).toBe(BOARD);
    expect(draw(BOARD, "wall", 1, 1)).toBe(BOARD);
    expect(draw(BOARD, "wall", 9, 9)).toBe(BOARD);
    expect(draw(BOARD, "target", 1, 1).split("\n")[1]).toBe("#SXO#");
    const moved = draw(draw(BOARD, "target", 1, 1), "player", 2, 2);
    expect(moved.split("\n")[1]).toBe("#OXO#");
  });

  it("says why a board cannot be played", () => {
    expect(problemOf(BOARD)).toBeNull();
    expect(problemOf(draw(BOARD, "floor", 1, 2))).toContain("needs a box");
    expect(problemOf(draw(BOARD, "target", 1, 3))).toContain("0 targets");
    expect(isBoard(BOARD)).toBe(true);
    expect(isBoard("Welcome to the shop")).toBe(false);
    expect(isBoard(`${BOARD}\n2 turns left`)).toBe(false);
  });
});

const PLACE = { algorithm: "turn-ppo", iteration: 1 };

function logOf(): RunLog {
  const log = new RunLog();
  for (const event of creditEvents()) log.append(event as RunEvent);
  return log;
}

/** A fork at a turn of an episode. */
function forkAt(episode: EpisodeRecord, turn: number, changes: Partial<typeof PLACE> = {}): Fork {
  const rest = { episode, turn, branches: 4, response: "Up", board: null };
  const question = { kind: "fork" as const, ...PLACE, ...rest, ...changes };
  return { number: 1, question, answer: {} as ForkAnswer };
}

describe("a fork's numbers", () => {
  it("are the oracle's, sample by sample", () => {
    const spread = (mean: number, advantage: number | null) => ({
      returns: [mean - 1, mean + 1],
      mean: { mean, low: mean - 3, high: mean + 2 },
      advantage: advantage === null ? null : { mean: advantage, low: -9, high: 9 },
    });
    const answer = { policy: spread(1, null), recorded: spread(2, 1), forked: spread(5, 4) };
    const samples = samplesOf(answer as ForkAnswer);
    expect(samples.map(({ kind }) => kind)).toEqual(["policy", "recorded", "forked"]);
    expect(samples.map(({ kind, ...rest }) => [kind, rest])).toEqual(Object.entries(answer));
  });

  it("have each algorithm's advantage beside them, that of the turn and no other", () => {
    const log = logOf();
    const episodes = log.episodes("turn-ppo", 1);
    const row = ownRow(log, "turn-ppo");
    const { batch, credit } = creditOf(row.config!, episodes, howOf(row, null)).ok!;
    for (const turn of [0, 1]) {
      const said = creditsAt(creditsWanted(log, forkAt(episodes[1]!, turn)));
      expect(said.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["grpo", "token-ppo", "turn-ppo"]),
      );
      const own = said.find(({ name }) => name === "turn-ppo");
      const expected = credit.turnAdvantage[batch.turnStart[1]! + turn];
      expect(own).toMatchObject({ advantage: expected, reason: null });
    }
    // Every episode of Turn-PPO has a task of its own: GRPO has no group to compare it with, and says so.
    const grpo = creditsAt(creditsWanted(log, forkAt(episodes[1]!, 0)))[0]!;
    expect(grpo.name).toBe("grpo");
    expect(grpo.advantage).not.toBe(null);
    expect(grpo.reason).toContain("so the reward is unchanged");
  });

  it("are computed when they are asked for, not where the question is put together", () => {
    const log = logOf();
    const episodes = log.episodes("turn-ppo", 1);
    const row = ownRow(log, "token-ppo");
    const known = () => isKnown(row.config!, episodes, howOf(row, null));
    const wanted = creditsWanted(log, forkAt(episodes[0]!, 0));
    expect(known()).toBe(false);
    creditsAt(wanted);
    expect(known()).toBe(true);
  });

  it("of a fork that is forked again are of the first fork's turns", () => {
    const log = logOf();
    const episodes = log.episodes("turn-ppo", 1);
    const other = episodes[1]!.turns.map((turn) => ({ ...turn, reward: turn.reward + 5 }));
    const first: ForkedEpisode = {
      ...{ ...episodes[1]!, turns: other },
      ...{ origin: "fork", turn: 0, boards: [], branch: 0 },
    };
    const advantage = (episode: EpisodeRecord) =>
      creditsAt(creditsWanted(log, forkAt(episode, 0))).find(({ name }) => name === "turn-ppo")!
        .advantage!;
    expect(advantage(first)).toBeGreaterThan(advantage(episodes[1]!));
  });

  it("say that an iteration is too long ago instead of failing", () => {
    const log = logOf();
    const [episode] = log.episodes("turn-ppo", 1);
    const again: ForkedEpisode = {
      ...{ ...episode!, origin: "fork", turn: 0, boards: [], branch: 0 },
    };
    for (const one of [episode!, again]) {
      const wanted = creditsWanted(log, forkAt(one, 0, { iteration: 999 }));
      expect(wanted.asked).toEqual([]);
      const said = creditsAt(wanted);
      expect(said.length).toBeGreaterThan(0);
      expect(new Set(said.map(({ reason }) => reason))).toEqual(new Set([words.forgotten]));
    }
  });
});

describe("the truth of a fork", () => {
  const [episode] = logOf().episodes("turn-ppo", 1);
  const on = (boards: number[]): ForkedEpisode => ({
    ...{ ...episode!, origin: "fork", turn: 0, boards, branch: 0 },
  });

  it("is beside a word on boards that no response led to", () => {
    expect([boardNote(episode!), boardNote(on([])), boardNote(on([0]))]).toEqual(["", "", ""]);
    expect(boardNote(on([2]))).toMatch(/^Before turn 3 you changed .* compare them from turn 3 on/);
    expect(boardNote(on([3, 0, 1]))).toMatch(/^Before turns 2 and 4 .* from turn 4 on/);
  });
});

it("how far a question is tells the time that is left, once it is known", () => {
  expect(askWords.asking(0, 0, null)).toBe(askWords.waiting);
  expect(askWords.asking(40.5, 128, null)).toBe("31 % of 128 continuations played …");
  const far = "50 % of 128 continuations played, about 1 min 15 s left …";
  expect(askWords.asking(64, 128, 75)).toBe(far);
});

it("a fork of a run with process rewards lacks them", () => {
  const [episode] = logOf().episodes("turn-ppo", 1);
  const turns = episode!.turns.map((turn, h) => (h === 1 ? { ...turn, processReward: 0 } : turn));
  expect(lacksProcess({ episode: episode! })).toBe(false);
  expect(lacksProcess({ episode: { ...episode!, turns } })).toBe(true);
});

describe("the question of a draft", () => {
  const episode = logOf().episodes("turn-ppo", 1)[1]!;
  const at = { ...PLACE, turn: 1 };
  const draft = draftOf("here", episode, 1, 64);

  it("leaves the board out where it is as it was", () => {
    expect(questionOf(draft, at, episode)).toEqual({
      ...{ kind: "fork", ...at, episode, branches: 64, board: null },
      response: draft.response,
    });
    expect(draft.response).not.toBe("");
  });

  it("has what was changed, and no response where the policy is to speak", () => {
    const board = `${draft.board}!`;
    expect(questionOf({ ...draft, board, branches: 16 }, at, episode)).toMatchObject({
      ...{ board, branches: 16, response: draft.response },
    });
    expect(questionOf({ ...draft, free: true }, at, episode).response).toBeNull();
  });
});
