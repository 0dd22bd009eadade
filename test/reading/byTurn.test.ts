/** Turns by their place in the episode, over a run's iterations. */
import { describe, expect, it } from "vitest";
import { runWhole } from "../../src/numeric/sliced.ts";
import { turnMaps, turnMeans, type TurnMap, type TurnQuantity } from "../../src/reading/byTurn.ts";
import { criticFor } from "../../src/reading/critics.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import type { EpisodeRecord, RunEvent, TurnRecord } from "../../src/record/runEvent.ts";
import { creditEpisodes, creditEvents } from "../fixtures/creditRun.ts";
import { chained } from "../fixtures/syntheticRun.ts";

const numbersOf = ({ columns }: TurnMap, quantity: TurnQuantity) =>
  columns.flatMap(({ turns }) => turns.flatMap((means) => means[quantity] ?? []));

const turnOf = (changes: Partial<TurnRecord>): TurnRecord => ({
  observation: "",
  text: "",
  actions: [],
  reward: 0,
  formatPenalty: 0,
  value: null,
  advantage: 0,
  return: null,
  ratio: 1,
  clipped: false,
  tokens: [],
  ...changes,
});

const episodeOf = (success: boolean | null, ...turns: Partial<TurnRecord>[]): EpisodeRecord => ({
  trajectory: 0,
  task: "a",
  seed: 1,
  reward: 0,
  success,
  terminated: true,
  truncated: false,
  finalObservation: "",
  turns: turns.map(turnOf),
});

const means = (episodes: readonly EpisodeRecord[]) =>
  turnMeans(episodes, criticFor(undefined, "turn-ppo", episodes));

describe("the h-th turns of an iteration", () => {
  it("are added up by hand", () => {
    const episodes = [
      episodeOf(
        true,
        { value: 1, advantage: 2, return: 1, clipped: true },
        { value: 4, advantage: -1, return: 5 },
      ),
      episodeOf(false, { value: 3, advantage: -4, return: 5, clipped: false }),
      // Not all is known of a turn: the rest counts.
      episodeOf(null, { value: null, advantage: NaN, clipped: null }),
    ];
    const [first, second, ...more] = means(episodes);
    expect(more).toEqual([]);
    expect(first).toEqual({
      turns: 3,
      value: 2,
      advantage: -1,
      clip: 0.5,
      success: 0.5,
      // Values 1 and 3, targets 1 and 5: 1 - Var(0, 2) / Var(1, 5) = 1 - 1/4.
      explained: expect.closeTo(0.75, 6),
      recordedExplained: expect.closeTo(0.75, 6),
    });
    expect(second).toMatchObject({ turns: 1, value: 4, advantage: -1, clip: 0, success: 1 });
    // A single turn has no variance to explain.
    expect(second!.explained).toBeNull();
  });

  it("have no values without a critic of their own", () => {
    const borrowed = episodeOf(true, { critics: { "turn-ppo": [5] }, advantage: 1 });
    const critic = criticFor(undefined, "grpo", [borrowed]);
    expect(critic!.own).toBe(false);
    expect(turnMeans([borrowed], critic)[0]).toMatchObject({ value: null, advantage: 1 });
  });

  it("are none where no episode is", () => expect(means([])).toEqual([]));
});

const logOf = (events: readonly RunEvent[]) => {
  const log = new RunLog();
  for (const event of events) log.append(event);
  return log;
};

describe("all methods of a run", () => {
  const events = chained(creditEvents());

  it("have a column for each iteration, with the same means as its episodes", () => {
    const log = logOf(events);
    const { maps, pending } = runWhole(turnMaps(log));
    expect(pending).toBe(false);
    expect(maps.map(({ algorithm, hasCritic }) => [algorithm, hasCritic])).toEqual([
      ["grpo", false],
      ["token-ppo", true],
      ["turn-ppo", true],
    ]);
    const { columns, iterations, recorded } = maps[2]!;
    expect([iterations, recorded]).toEqual([2, 2]);
    expect(columns.map(({ iteration }) => iteration)).toEqual([1, 2]);
    const { turns } = columns[0]!;
    const first = creditEpisodes("turn-ppo").map((episode) => episode.turns[0]!);
    expect(turns[0]!.turns).toBe(first.length);
    const mean = first.reduce((sum, turn) => sum + turn.advantage, 0) / first.length;
    expect(turns[0]!.advantage).toBeCloseTo(mean, 12);
    expect(numbersOf(maps[0]!, "value")).toEqual([]);
    expect(numbersOf(maps[2]!, "value").length).toBeGreaterThan(2);
  });

  it("take the run's own metrics of all episodes, also of iterations that recorded none", () => {
    const withMetrics = chained(
      creditEvents().map((event) => {
        if (event.type !== "iteration" || event.algorithm !== "turn-ppo") return event;
        const metrics = {
          ...event.metrics,
          "actor/turn_clipfrac/1": 0.25,
          "actor/turn_clipfrac/2": null,
          "critic/turn_vf_explained_var/1": -3,
        };
        return { ...event, metrics, episodes: event.iteration === 2 ? [] : event.episodes };
      }),
    );
    const { maps } = runWhole(turnMaps(logOf(withMetrics)));
    const { columns, iterations, recorded } = maps[2]!;
    expect([iterations, recorded, columns.length]).toEqual([2, 1, 2]);
    expect(columns[0]!.turns[0]).toMatchObject({ clip: 0.25, explained: -3 });
    // The metric is not finite there: no recorded number takes its place.
    expect(columns[0]!.turns[1]!.clip).toBeNull();
    expect(columns[0]!.turns[0]!.recordedExplained).not.toBe(-3);
    expect(columns[1]!.turns).toHaveLength(2);
    expect(columns[1]!.turns[0]).toMatchObject({ turns: 0, clip: 0.25, advantage: null });
  });

  it("read each iteration once, however often they are asked for while the log grows", () => {
    const log = new RunLog();
    let reads = 0;
    const peek = log.peekEpisodes.bind(log);
    log.peekEpisodes = (algorithm, iteration) => {
      reads++;
      return peek(algorithm, iteration);
    };
    for (const event of events) {
      log.append(event);
      runWhole(turnMaps(log));
    }
    expect(reads).toBe(3 * 2);
  });

  it("wait for an iteration that is still being read, and take it up when it is there", () => {
    const log = logOf(events);
    const peek = log.peekEpisodes.bind(log);
    let there = false;
    log.peekEpisodes = (algorithm, iteration) =>
      !there && iteration === 2 ? null : peek(algorithm, iteration);
    const before = runWhole(turnMaps(log));
    expect(before.pending).toBe(true);
    expect(before.maps[0]!.columns.map(({ iteration }) => iteration)).toEqual([1]);
    there = true;
    const after = runWhole(turnMaps(log));
    expect(after.pending).toBe(false);
    expect(after.maps.map(({ recorded }) => recorded)).toEqual([2, 2, 2]);
  });

  it("are empty before the first iteration", () => {
    const { maps, pending } = runWhole(turnMaps(logOf(events.slice(0, 1))));
    expect(pending).toBe(false);
    expect(maps.map(({ columns, hasCritic }) => [columns.length, hasCritic])).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ]);
    expect(runWhole(turnMaps(new RunLog())).maps).toEqual([]);
  });
});
