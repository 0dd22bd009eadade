/** The fork panel's numbers and its pencil. */
import { describe, expect, it } from "vitest";
import { parseBoard, renderBoard } from "../../src/env/sokoban/board.ts";
import { boardNote } from "../../src/panels/shared/ask/boardNote.ts";
import { words as askWords } from "../../src/panels/shared/ask/words.ts";
import { draw, isBoard, problemOf } from "../../src/panels/fork/boardEdit.ts";
import { draftOf, questionOf } from "../../src/panels/fork/draft.ts";
import { advantages, keptFigure, pictures, sameDraws } from "../../src/figures/fork/fork.ts";
import {
  creditsAt,
  creditsWanted,
  lacksProcess,
  samplesOf,
} from "../../src/figures/fork/numbers.ts";
import { words } from "../../src/figures/fork/words.ts";
import type { Go } from "../../src/figures/choices.ts";
import { niceTicks } from "../../src/numeric/axis.ts";
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
  const drawn = (returns: number[], mean = { mean: 0, low: 0, high: 0 }) =>
    pictures([{ kind: "forked", returns, mean, advantage: null }])[0]!;
  const barsOf = ({ marks }: ReturnType<typeof drawn>) =>
    marks.flatMap((mark) => (mark.as === "bars" ? mark.bars : []));

  it("are counted without losing any, the largest included", () => {
    const bars = barsOf(drawn([0, 0, 10, 5, 5.01]));
    expect(bars.map(({ y }) => y)).toEqual([2, 1, 2]);
    expect(bars[0]!.from).toBe(0);
    expect(bars[1]!.to).toBeCloseTo(10, 12);
    expect(bars[2]!.from).toBeLessThanOrEqual(5);
    expect(bars[2]!.to).toBeGreaterThan(5.01);
    expect(barsOf(drawn([3, 3, 3])).map(({ y }) => y)).toEqual([3]);
  });

  it("have an axis with 0 and all numbers, and the mean in its interval", () => {
    const mean = { mean: 3, low: -0.57, high: 10.4 };
    const { x, marks } = drawn([1, NaN, Infinity], mean);
    expect(x.domain).toEqual([-0.57, 10.4]);
    expect(niceTicks(...x.domain)).toContain(0);
    expect(drawn([3.1, 9.9]).x.domain).toEqual([0, 9.9]);
    expect(drawn([-2, -1]).x.domain).toEqual([-2, 0]);
    expect(marks).toContainEqual({ as: "band", from: -0.57, to: 10.4 });
    expect(marks).toContainEqual({ as: "edge", x: 3, name: "mean" });
  });

  it("have a place for 0 where there is nothing else", () => {
    for (const none of [[], [0, 0]]) {
      const { x } = drawn(none);
      expect(niceTicks(...x.domain)).toContain(0);
      expect(barsOf(drawn(none)).every(({ from, to }) => from < to)).toBe(true);
    }
  });

  it("say their mean, interval and number", () => {
    const { title, says } = drawn([1, 2], { mean: 1.5, low: -1, high: 4 });
    expect(title).toBe("With your change: +1.500");
    expect(says).toContain("mean +1.500, 95 % interval −1.000 to +4.000, n = 2.");
  });
});

describe("advantages of a turn", () => {
  const said = (name: string, advantage: number | null, reason: string | null = null) => ({
    ...{ name, title: name, advantage, reason, over: null },
  });
  const truth = { mean: -0.1, low: -0.6, high: 0.4 };

  it("are the true one with its interval, what training used, and what can be computed", () => {
    const all = [said("a", 0.5), said("b", null, "alone"), said("d", -1, "its own")];
    const { rows } = advantages({ truth, trained: 0.3, algorithm: "grpo", said: all });
    expect(rows.map(({ look, cells, reason }) => [look, reason ?? cells[0]!.value])).toEqual([
      ...[["truth", -0.1] as const, ["trained", 0.3] as const],
      ...[["method", 0.5] as const, ["method", "cannot be computed: alone"] as const],
      ["method", -1],
    ]);
    expect(rows[0]!.cells[0]).toMatchObject({ interval: [-0.6, 0.4], pale: true });
    expect(rows[4]!.notes).toEqual(["its own"]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    // One scale: a longer bar is a larger number.
    for (const row of rows) expect(row.among).toEqual([-0.1, 0.3, 0.5, -1]);
    const alone = advantages({ truth, trained: null, algorithm: "grpo", said: [] });
    expect(alone.rows).toHaveLength(1);
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

describe("kept forks", () => {
  const log = logOf();
  const [episode] = log.episodes("turn-ppo", 1);
  const kept = { ...episode!, origin: "fork" as const, turn: 1, boards: [], branch: 0 };
  const fork = forkAt(episode!, 1);
  const answer = { kept: [kept], branches: 4, trained: 1 } as unknown as ForkAnswer;
  const one = { ...fork, answer };
  const figureOf = (fork: Fork, inPanels: Fork | null) => {
    const figure = keptFigure({ forks: [fork], shown: fork, inPanels, branch: 0, log });
    return figure.map((block) => (block.kind === "group" ? block.parts() : []));
  };

  it("say where they left the recording, and what their buttons do", () => {
    const line = figureOf(one, one)[0]!.at(-1)!;
    expect(line).toMatchObject({
      text: "Turn-PPO, iteration 1, episode 1, turn 2: another response.",
    });
    const { go } = line as unknown as { go: Go[] };
    expect(go.map(({ name, pressed }) => [name, pressed])).toEqual([
      ["Fork 1", true],
      ["Show in all panels", true],
      ["Save as JSONL", undefined],
      ["Remove", undefined],
    ]);
    expect(go.map((one) => "choose" in one && one.choose)).toEqual(
      ["show", "panels", "save", "drop"].map((what) => ({ [what]: "1" })),
    );
  });

  it("cannot be shown in all panels once the iteration is no longer in memory", () => {
    const old = { ...one, question: { ...one.question, iteration: 999 }, released: 3 };
    const line = figureOf(old, null)[0]!.at(-1)! as unknown as { more: string; go: Go[] };
    expect(line.more).toBe(`${words.firstLeft} ${words.forgotten}`);
    expect(line.go[1]).toMatchObject({ disabled: true, pressed: false });
  });

  it("have their episode turn by turn, to the last board", () => {
    const grid = figureOf(one, null)[1]!.find((block) => block.kind === "grid")!;
    const rows = Array.from({ length: grid.count }, (_, i) => grid.row(i));
    expect(rows).toHaveLength(kept.turns.length + 1);
    expect(rows[0]!.name).toBe("1, as recorded");
    expect(rows[1]!.name).toBe("2, forked here");
    expect(rows[0]!.cells[2]).toBe(kept.turns[0]!.reward);
    expect(rows.at(-1)).toMatchObject({
      name: "→",
      cells: [{ given: { observation: kept.finalObservation } }, "", ""],
    });
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
