import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block, Figure, FigureInput } from "../../src/figures/figure.ts";
import { episodesPanel } from "../../src/figures/episodes/episodes.ts";
import { words } from "../../src/figures/episodes/words.ts";
import type { RunView } from "../../src/reading/log/runLog.ts";
import type { Truths } from "../../src/reading/truths.ts";
import { runWhole } from "../../src/numeric/sliced.ts";
import { LATEST, resolveChoice } from "../../src/store/turnChoice.ts";
import { movesAtAGlance, surpriseOf, type EpisodeFacts } from "../../src/figures/episodes/facts.ts";
import { factsOf } from "../fixtures/episodeFacts.ts";
import { finder } from "../../src/figures/episodes/find.ts";
import {
  beside,
  filtered,
  rowIndexOf,
  sorted,
  turnOf,
  unknownColumns,
  type SortColumn,
} from "../../src/figures/episodes/order.ts";
import { Scan, type SearchHit } from "../../src/figures/episodes/scan.ts";
import { criticFor } from "../../src/reading/critics.ts";
import { tdErrors } from "../../src/reading/tdErrors.ts";
import type { EpisodeRecord, TurnRecord } from "../../src/record/runEvent.ts";
import type { ForkedEpisode } from "../../src/record/forkedEpisode.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import type { Fork } from "../../src/store/forkTypes.ts";
import { episodes as manifest } from "../../src/figures/episodes/manifest.ts";
import { settingIn, withSetting } from "../../src/store/lensSettings.ts";
import { readRecording } from "../../src/reading/log/recording.ts";
import { creditEpisodes, creditRecording, creditSpec } from "../fixtures/creditRun.ts";

const spec = creditSpec();
const episodes = creditEpisodes("turn-ppo");
const source = { spec, algorithm: "turn-ppo", iteration: 1 };
const factsWith = (change: (turn: TurnRecord, h: number) => object, more: object = {}) =>
  factsOf(
    [
      {
        ...episodes[0]!,
        ...more,
        turns: episodes[0]!.turns.map((t, h) => ({ ...t, ...change(t, h) })),
      },
    ],
    source,
    null,
  )[0]!;

describe("an episode's facts", () => {
  it("are those of the turns where the numbers are largest", () => {
    const facts = factsOf(episodes, source, null);
    expect(facts).toHaveLength(episodes.length);
    const critic = criticFor(spec, "turn-ppo", episodes);
    facts.forEach((row, i) => {
      const { turns, reward } = episodes[i]!;
      const sizes = tdErrors(episodes[i]!, critic).map((x) => Math.abs(x!));
      expect(Math.abs(row.error!.value)).toBe(Math.max(...sizes));
      expect(sizes[row.error!.turn]).toBe(Math.max(...sizes));
      const credit = Math.max(...turns.map(({ advantage }) => Math.abs(advantage)));
      expect(Math.abs(row.advantage!.value)).toBe(credit);
      expect(row).toMatchObject({ reward, turns: turns.length, episode: i, iteration: 1 });
      expect(row.clipped).toBe(turns.filter(({ clipped }) => clipped).length);
    });
  });

  it("know how unlikely a response was to who wrote it", () => {
    const told = (oldLogprobs: number[]) =>
      surpriseOf({ tokens: oldLogprobs.map((oldLogprob) => ({ oldLogprob }) as never) });
    expect(told([-1, -3])).toBe(2);
    expect(told([])).toBeNull();
    expect(told([-1, NaN])).toBeNull();
    const tokens = (h: number) => [{ ...episodes[0]!.turns[0]!.tokens[0]!, oldLogprob: -h }];
    const last = episodes[0]!.turns.length - 1;
    expect(factsWith((_, h) => ({ tokens: tokens(h) })).surprise).toEqual({
      turn: last,
      value: last,
    });
  });

  it("say that a thing is unknown, and never 0 for it", () => {
    const bare = { advantage: NaN, clipped: null, tokens: [], value: null, critics: undefined };
    const facts = factsWith(() => bare, { reward: NaN, success: null, seed: NaN });
    const unknown = { outcome: "unknown", reward: null, error: null, clipped: null, seed: null };
    expect(facts).toMatchObject({ ...unknown, surprise: null, advantage: null });
    // One clipped turn is one, whatever the others were; none is not known then.
    expect(factsWith((_, h) => ({ clipped: h === 1 ? true : null })).clipped).toBe(1);
    expect(factsWith((_, h) => ({ clipped: h === 1 ? false : null })).clipped).toBeNull();
    expect(factsOf([{ ...episodes[0]!, turns: [] }], source, null)[0]).toMatchObject({
      ...{ turns: 0, clipped: null, error: null, surprise: null, advantage: null },
    });
    expect(unknownColumns([facts])).toEqual([
      ...["outcome", "reward", "error", "clipped", "surprise", "advantage"],
    ]);
  });
});

describe("the search", () => {
  const one = (turns: object[], finalObservation = ""): EpisodeRecord => ({
    ...episodes[0]!,
    finalObservation,
    turns: turns.map((turn) => ({
      ...episodes[0]!.turns[0]!,
      ...{ observation: "", text: "", actions: [] },
      ...turn,
    })),
  });
  const record = one(
    [
      { observation: "A box in the CORNER of a room" },
      { text: "I push (left)." },
      { actions: ["Left", "Up"] },
    ],
    "You won!",
  );
  const where = (query: string) => {
    const hit = finder(query)!(record);
    return hit && [hit.turn, hit.where, hit.match];
  };

  it("goes through what was seen, written and done, whatever the case", () => {
    expect(where("corner")).toEqual([0, "observation", "CORNER"]);
    expect(where("PUSH")).toEqual([1, "response", "push"]);
    expect(where("left up")).toEqual([2, "action", "Left Up"]);
    expect(where("you won")).toEqual([2, "observation", "You won"]);
    expect(where("nowhere")).toBeNull();
    expect(finder("")).toBeNull();
    expect(finder("x")!(one([{ actions: null }]))).toBeNull();
  });

  it("takes every sign as itself", () => {
    expect(where("(left).")).toEqual([1, "response", "(left)."]);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.string(), (query, around) => {
        const find = finder(query)!;
        expect(find(one([{ text: query }]))?.match).toBe(query.replaceAll(/\s+/g, " "));
        expect(find(one([{ text: `${around}${query}${around}` }]))).not.toBeNull();
      }),
    );
  });

  it("shows a stretch of a long text around it, on one line", () => {
    const text = `${"before ".repeat(50)}\nneedle\n${" after".repeat(50)}`;
    const hit = finder("needle")!(one([{ text }]))!;
    expect(hit.before).toMatch(/^….{10,30} $/);
    expect(hit.after).toMatch(/^ .{10,30}…$/);
  });
});

describe("the order", () => {
  const facts = factsOf(episodes, source, null);
  const values = (rows: readonly EpisodeFacts[]) => rows.map(({ reward }) => reward);
  const withRewards = (rewards: (number | null)[]) =>
    rewards.map((reward, episode) => ({ ...facts[0]!, reward, episode }));

  it("has what is unknown last in either direction, and equals as they were", () => {
    const reward = fc.option(fc.integer({ min: -3, max: 3 }));
    fc.assert(
      fc.property(fc.array(reward), fc.constantFrom("up", "down"), (rewards, direction) => {
        const rows = sorted(withRewards(rewards), { column: "reward", direction });
        const known = rewards.filter((x) => x !== null).sort((a, b) => a - b);
        if (direction === "down") known.reverse();
        const unknown = rewards.filter((x) => x === null);
        expect(values(rows)).toEqual([...known, ...unknown]);
        for (const [i, row] of rows.entries())
          if (i > 0 && row.reward === rows[i - 1]!.reward)
            expect(row.episode).toBeGreaterThan(rows[i - 1]!.episode);
      }),
    );
  });

  it("goes by size where a number has a sign, and by name", () => {
    const by = (column: SortColumn, direction: "up" | "down" = "down") =>
      sorted(facts, { column, direction });
    const sizes = by("error").map(({ error }) => Math.abs(error!.value));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(new Set(sizes).size).toBeGreaterThan(1);
    const named = ["b", "", "a"].map((task) => ({ ...facts[0]!, task }));
    const tasks = (direction: "up" | "down") =>
      sorted(named, { column: "task", direction }).map(({ task }) => task);
    expect([tasks("up"), tasks("down")]).toEqual([
      ["a", "b", ""],
      ["b", "a", ""],
    ]);
  });

  it("keeps what the filters leave: unknown is neither solved nor clipped", () => {
    const rows = (["solved", "failed", "unknown"] as const).map((outcome, i) => ({
      ...facts[0]!,
      ...{ outcome, clipped: [2, 0, null][i]! },
    }));
    const left = (outcome: "any" | "solved" | "unknown", clipped: boolean) =>
      filtered(rows, { outcome, clipped }).map((row) => row.outcome);
    expect(left("any", false)).toHaveLength(3);
    expect(left("unknown", false)).toEqual(["unknown"]);
    expect(left("any", true)).toEqual(["solved"]);
  });

  it("leads to the turn that the search or the column is about, and on to the next row", () => {
    const row = {
      ...facts[0]!,
      ...{ firstClipped: 2, error: { turn: 1, value: 1 }, surprise: null },
    };
    expect(turnOf(row, "clipped")).toBe(2);
    expect(turnOf(row, "error")).toBe(1);
    expect([turnOf(row, "surprise"), turnOf(row, "reward")]).toEqual([0, 0]);
    // Of a fork's episodes the turn where it left the record.
    expect([turnOf(row, "surprise", 2), turnOf(row, "reward", 2)]).toEqual([2, 2]);
    const hit = { turn: 3, where: "action", before: "", match: "x", after: "" } as const;
    expect(turnOf({ ...row, hit }, "error")).toBe(3);
    expect(rowIndexOf(facts, { iteration: 1, episode: 2 })).toBe(2);
    expect(rowIndexOf(facts, { iteration: 2, episode: 2 })).toBe(-1);
    const next = (here: number, by: 1 | -1) => beside(facts, here, by).episode;
    const last = facts.length - 1;
    expect([next(0, 1), next(last, 1), next(0, -1), next(-1, 1), next(-1, -1)]).toEqual([
      ...[1, 0, last, 0, last],
    ]);
  });
});

describe("a scan", () => {
  it("is of a fork's continuations in the place of what was recorded", async () => {
    const { log } = (await readRecording(creditRecording()))!;
    const kept = [1, 2, 3].map((reward, branch): ForkedEpisode => ({
      ...{ ...episodes[0]!, origin: "fork", turn: 1, boards: [], number: 4, branch, reward },
      turns: episodes[0]!.turns.map((turn) => ({
        ...{ ...turn, text: `said in ${branch}`, advantage: NaN, ratio: NaN, clipped: null },
      })),
    }));
    const fork = { number: 4, answer: { kept } } as unknown as Fork;
    const whole = new Scan(log, "turn-ppo", "", fork);
    runWhole(whole.work([1]));
    const { rows, episodes: count } = whole.found([1]);
    expect(count).toBe(3);
    expect(rows.map(({ episode, reward }) => [episode, reward])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    // The critics have valued it, but no update has used it.
    expect(rows[0]!.error).not.toBeNull();
    expect(unknownColumns(rows)).toEqual(["clipped", "advantage"]);
    const best = sorted(rows, { column: "reward", direction: "down" });
    expect(best.map(({ episode }) => episode)).toEqual([2, 1, 0]);
    const searched = new Scan(log, "turn-ppo", "SAID IN 1", fork);
    runWhole(searched.work([1]));
    expect(searched.found([1]).rows.map(({ episode }) => episode)).toEqual([1]);
  });

  it("goes on where it stopped, and keeps of each iteration what was found", async () => {
    const { log } = (await readRecording(creditRecording()))!;
    const iterations = log.iterationsWithEpisodes("grpo");
    expect(iterations).toEqual([1, 2]);
    const scan = new Scan(log, "grpo", "UP || UP");
    scan.work(iterations).next();
    const { episodes: recorded } = scan.found(iterations);
    expect(scan.found(iterations)).toMatchObject({
      done: 1,
      episodes: creditEpisodes("grpo").length,
    });
    runWhole(scan.work(iterations));
    const { rows, done, episodes: all } = scan.found(iterations);
    expect([done, all > recorded]).toEqual([2, true]);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(all);
    expect(rows.every(({ hit }) => hit?.match === "Up || Up")).toBe(true);
    expect(scan.found([1]).rows.every(({ iteration }) => iteration === 1)).toBe(true);
  });

  it("reads an iteration of very many episodes in portions", async () => {
    const { log } = (await readRecording(creditRecording()))!;
    const kept = Array.from({ length: 2500 }, () => episodes[0]!);
    const fork = { number: 5, answer: { kept } } as unknown as Fork;
    const scan = new Scan(log, "grpo", "", fork);
    // Each goes on where the last one stopped.
    const read = () => [...[scan.work([1]).next().done, scan.found([1]).episodes, scan.done([1])]];
    expect([read(), read(), read(), read()]).toEqual([
      [false, 1000, 0],
      [false, 2000, 0],
      [false, 2500, 1],
      [true, 2500, 1],
    ]);
    expect(scan.found([1]).rows.at(-1)!.episode).toBe(2499);
  });

  it("leaves held what is around the cursor", async () => {
    const { log } = (await readRecording(creditRecording()))!;
    const here = log.episodes("turn-ppo", 1);
    const far = log.peekEpisodes("turn-ppo", 2);
    expect(far!.length).toBeGreaterThan(0);
    // Read again each time: it is not held on to.
    expect(log.peekEpisodes("turn-ppo", 2)).not.toBe(far);
    expect(log.peekEpisodes("turn-ppo", 1)).toBe(here);
    expect(log.episodes("turn-ppo", 1)).toBe(here);
    expect(log.peekEpisodes("turn-ppo", 99)).toEqual([]);
  });
});

describe("the settings in a link", () => {
  it("come back, whatever was looked for", () => {
    const { find } = manifest.settings;
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (query) => {
        const settings = withSetting({}, "episodes:find", find, query);
        const read = settingIn(settings, "episodes:find", find);
        const { warnings, ...link } = decodeLink(encodeLink(presetSpec("nano"), { settings }));
        expect(warnings).toEqual([]);
        expect(link.settings).toEqual(settings);
        expect(withSetting({}, "episodes:find", find, read)).toEqual(settings);
      }),
      { numRuns: 30 },
    );
  });
});

it("shows an episode's moves as arrows, turn after turn", () => {
  const turns = (...actions: (string[] | null)[]) => actions.map((of) => ({ actions: of }));
  expect(movesAtAGlance(turns(["Right"], ["Up", "Up"], [], ["Down"]))).toBe("→↑↑·↓");
  expect(movesAtAGlance(turns(["Left"], null))).toBeNull();
  expect(movesAtAGlance(turns(["search[red shoes]"]))).toBeNull();
  expect(movesAtAGlance([])).toBeNull();
  const long = movesAtAGlance(turns(...Array.from({ length: 40 }, () => ["Up"])))!;
  expect(long).toBe(`${"↑".repeat(24)}…`);
  expect(factsOf(episodes, source, null).every(({ moves }) => moves !== null)).toBe(true);
});

type Input = FigureInput<typeof manifest.settings>;

describe("the figure", () => {
  const block = <K extends Block["kind"]>(figure: Figure, kind: K) =>
    figure.find((one) => one.kind === kind) as Extract<Block, { kind: K }>;
  const seen = async (set: Partial<FigureInput<typeof manifest.settings>["set"]> = {}) => {
    const { log } = (await readRecording(creditRecording()))!;
    const at = resolveChoice(log, { ...LATEST, algorithm: "turn-ppo", iteration: 1 });
    const starts = Object.entries(manifest.settings).map(([name, { start }]) => [name, start]);
    return {
      view: { log, origin: "recorded", version: 0 } as unknown as RunView,
      ...{ at, held: {}, truths: {} as Truths, brush: null },
      set: { ...Object.fromEntries(starts), ...set } as never,
    };
  };

  /** What it shows, one after another. */
  function* reading(input: Input): Generator<SearchHit, SearchHit> {
    const shown: SearchHit[] = [];
    const work = episodesPanel.reads!.work(input, (found) => shown.push(found()));
    for (let next = work.next(); ; next = work.next()) {
      yield* shown.splice(0);
      if (next.done) return next.value;
    }
  }
  const figureOf = (input: Input) =>
    episodesPanel.figure(input, runWhole(episodesPanel.reads!.work(input, () => {})));

  it("has a row for each episode, which leads to the turn of its sorted column", async () => {
    const rows = sorted(factsOf(episodes, source, null), { column: "error", direction: "down" });
    const figure = figureOf(await seen({ sort: "error", direction: "down" }));
    const grid = block(figure, "grid");
    expect(grid.count).toBe(episodes.length);
    expect(grid.row(0).name).toBe(String(rows[0]!.episode + 1));
    expect(grid.go!(0)).toMatchObject({ episode: rows[0]!.episode, turn: rows[0]!.error!.turn });
    const { sort } = grid.columns.find(({ sort }) => sort?.id === "error")!;
    expect(sort).toMatchObject({ now: "down", by: { choose: { sort: "error", direction: "up" } } });
    expect(grid.whole!().head).toHaveLength(grid.whole!().rows[0]!.length);
  });

  it("searches all iterations until it is stopped, and goes on", async () => {
    const input = await seen({ scope: "all", find: "zzzz" });
    const first = reading(input).next().value!;
    const [stop] = block(episodesPanel.figure(input, first), "text").go!;
    expect(stop!.name).toBe(words.stop);
    const held = "choose" in stop! ? stop!.choose : {};
    expect(reading({ ...input, held }).next()).toMatchObject({ done: true, value: { done: 1 } });
    const over = block(figureOf(input), "text");
    expect(over.text).toBe(words.found(0, 2 * episodes.length, "zzzz", false));
    expect(over.go!.map(({ name }) => name)).toEqual([words.reset]);
    expect(block(figureOf(input), "grid")).toBeUndefined();
  });
});
