import { describe, expect, it } from "vitest";
import type { IterationEvent, Metrics, RunEvent, StartEvent } from "../../src/record/runEvent.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { RunLog, viewOf } from "../../src/reading/log/runLog.ts";
import { syntheticRun } from "../fixtures/syntheticRun.ts";

const spec = { ...shortRun(), recordEpisodes: 2 };

function logOf(events: readonly RunEvent[]): RunLog {
  const log = new RunLog();
  for (const event of events) log.append(event);
  return log;
}

describe("RunLog", () => {
  const events = syntheticRun(spec, 7);
  const log = logOf(events);

  it("has an event once where its line is there twice, and those of a log without chains as they come", () => {
    const twice = logOf([...events, ...events]);
    expect(twice.version).toBe(log.version);
    expect(twice.series("turn-ppo", "sokoban/success")).toEqual(
      log.series("turn-ppo", "sokoban/success"),
    );
    expect(twice.iterations("turn-ppo")).toEqual(log.iterations("turn-ppo"));
    expect(twice.crashes).toHaveLength(1);
    expect(twice.clock("turn-ppo")).toEqual(log.clock("turn-ppo"));
    const beside = logOf(events.flatMap((event) => [event, event]));
    expect(beside.times("turn-ppo")).toEqual(log.times("turn-ppo"));
    const foreign = events.map((event) => ({ ...event, chain: "" }));
    expect(logOf([...foreign, ...foreign]).version).toBe(2 * events.length);
  });

  it("keeps training and held-out numbers apart", () => {
    const train = log.series("turn-ppo", "sokoban/success");
    expect(train.x).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(log.series("turn-ppo", "val-env/sokoban/success", "heldout").x).toEqual([
      0, 5, 10, 15, 20,
    ]);
    expect(log.series("turn-ppo", "sokoban/success", "heldout").x).toEqual([]);
    expect(log.metrics("heldout")).toEqual(["val-env/sokoban/success"]);
  });

  it("keeps null for what was not finite, and never another number", () => {
    expect(new Set(log.series("grpo", "critic/vf_explained_var").y)).toEqual(new Set([null]));
    const odd = logOf([
      {
        ...events.find(({ type }) => type === "iteration")!,
        metrics: { m: Number.NaN },
      } as RunEvent,
    ]);
    expect(odd.series("grpo", "m").y).toEqual([null]);
  });

  it("ends a crashed algorithm's series and lets the others go on", () => {
    expect(log.crashes.map(({ algorithm, iteration }) => [algorithm, iteration])).toEqual([
      ["grpo", 7],
    ]);
    expect(log.series("grpo", "sokoban/success").x.at(-1)).toBe(6);
    expect(log.finishedIterations).toBe(20);
  });

  it("gives the recorded episodes of an iteration", () => {
    expect(log.episodes("turn-ppo", 3)).toHaveLength(2);
    expect(log.episodes("turn-ppo", 99)).toEqual([]);
    expect(log.iterationsWithEpisodes("turn-ppo")).toEqual(log.iterations("turn-ppo"));
  });

  it("says once what an iteration played and wrote, the same to every panel", () => {
    const { tasksPerIteration, groupSize } = spec.optimisation;
    const episodes = tasksPerIteration * groupSize;
    expect(log.episodesPerIteration).toBe(episodes);
    expect(new RunLog().episodesPerIteration).toBeNull();
    const told = (metrics: Metrics, optimisation: unknown = spec.optimisation) => {
      const start = events[0] as StartEvent;
      const [first] = events.filter(({ type }) => type === "iteration");
      const one = logOf([
        { ...start, spec: { ...spec, optimisation } } as RunEvent,
        { ...first, metrics } as RunEvent,
      ]);
      const name = (first as IterationEvent).algorithm;
      const { used } = one.times(name)[0]!;
      expect([one.clock(name).turns[0], one.clock(name).tokens[0]]).toEqual([
        used.turns,
        used.tokens,
      ]);
      return used;
    };
    const turns = { "num_turns/mean": 4 };
    const both = { ...turns, "response_length/mean": 5, "turn_len/mean": 6 };
    expect(told(both)).toEqual({ turns: 4 * episodes, tokens: 20 * episodes });
    // Older logs have but one of the two.
    expect(told({ ...turns, "turn_len/mean": 6 }).tokens).toBe(24 * episodes);
    expect(told({ ...turns, "response_length/mean": 5 }).tokens).toBe(20 * episodes);
    expect(told(turns).tokens).toBeNull();
    expect(told(both, { iterations: 2, groupSize: "8" })).toEqual({ turns: null, tokens: null });
  });

  it("names the chain after each iteration, and the last one", () => {
    const third = events.findLast((event) => event.type === "iteration" && event.iteration === 3)!;
    expect(log.chainAt(3)).toBe(third.chain);
    expect(log.lastChain).toBe(events.at(-1)!.chain);
    expect(log.chainAt(21)).toBeNull();
  });

  it("forgets old episodes but no numbers when a run is very long", () => {
    const long = { ...spec, optimisation: { ...spec.optimisation, iterations: 300 } };
    const many = logOf(syntheticRun(long));
    expect(many.series("grpo", "sokoban/success").x).toHaveLength(300);
    expect(many.episodes("grpo", 1)).toEqual([]);
    expect(many.episodes("grpo", 300)).toHaveLength(2);
    expect(many.iterationsWithEpisodes("grpo")).toHaveLength(200);
  });

  it("has a version that says whether anything is new", () => {
    const growing = logOf(events.slice(0, 3));
    const before = viewOf(growing, "live");
    growing.append(events[3]!);
    expect(viewOf(growing, "live").version).toBeGreaterThan(before.version);
  });
});
