import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changed, START_VIEW, toggled } from "../../src/store/curvesView.ts";
import { RunLog, noRun, viewOf } from "../../src/reading/log/runLog.ts";
import {
  dropRun,
  isKept,
  keepRun,
  MAX_KEPT,
  nameRun,
  renameRun,
  runShelf,
  runsOf,
} from "../../src/store/runs.ts";
import { curveEvents, curveLog } from "../fixtures/curveRun.ts";

beforeEach(() => runShelf.setState({ runs: [] }));
afterEach(() => runShelf.setState({ runs: [] }));
const list = (...args: Parameters<typeof runsOf>) =>
  runsOf(...args).map(({ label, origin }) => `${label}: ${origin}`);

describe("runs side by side", () => {
  it("are the shown one, the recorded one behind it, and those kept, each once", () => {
    const [live, recorded, old] = [curveLog({ seed: 2 }), curveLog(), curveLog({ seed: 3 })];
    keepRun(old, "before");
    keepRun(live, "mine");
    const ghost = viewOf(recorded, "recorded");
    const shelf = runShelf.getState();
    expect(list(viewOf(live, "live"), ghost, shelf)).toEqual([
      "mine: live",
      "recorded run: recorded",
      "before: kept",
    ]);
    expect(list(ghost, ghost, { runs: [] })).toEqual(["recorded run: recorded"]);
    expect(list(viewOf(live, "imported"), ghost, { runs: [] })).toEqual(["imported run: imported"]);
    expect(list(noRun(), null, { runs: [] })).toEqual([]);
    const file = curveLog();
    nameRun(file, "12.jsonl");
    expect(list(viewOf(file, "imported"), null, { runs: [] })).toEqual(["12.jsonl: imported"]);
  });

  it("keep their ids and letters in any order", () => {
    const log = curveLog();
    const [shown] = runsOf(viewOf(log, "live"), null, runShelf.getState());
    keepRun(log, "kept");
    const later = runsOf(viewOf(curveLog(), "live"), null, runShelf.getState());
    expect(later.find((run) => run.log === log)).toMatchObject({
      id: shown!.id,
      place: shown!.place,
      origin: "kept",
    });
    expect(new Set(later.map(({ id }) => id)).size).toBe(2);
    expect(later.map(({ place }) => place)).toEqual([1, 0]);
  });

  it("can be kept once, renamed and dropped, up to as many as there is room for", () => {
    const log = curveLog();
    expect([keepRun(log, "a"), keepRun(log, "b")]).toEqual([true, false]);
    renameRun(log, "c");
    expect(runShelf.getState().runs.map(({ label }) => label)).toEqual(["c"]);
    for (let i = 1; i < MAX_KEPT; i++) expect(keepRun(new RunLog(), "more")).toBe(true);
    expect(keepRun(new RunLog(), "too many")).toBe(false);
    dropRun(log);
    expect(isKept(log)).toBe(false);
  });
});

describe("what a run has used up", () => {
  it("adds up turns, tokens and its own seconds", () => {
    // 4 tasks x 8 episodes, 4 turns of 5 tokens each; 0.5 s playing, 1.5 s learning.
    const clock = curveLog({ iterations: 3 }).clock("grpo");
    expect(clock.turns).toEqual([128, 256, 384]);
    expect(clock.tokens).toEqual([640, 1280, 1920]);
    expect(clock.seconds).toEqual([2, 4, 6]);
  });

  it("is unknown from where the run stops saying it", () => {
    const events = curveEvents({
      iterations: 3,
      change: (metrics, _, iteration) =>
        iteration === 2 ? { ...metrics, "num_turns/mean": null } : metrics,
    });
    const log = new RunLog();
    for (const event of events)
      log.append(event.type === "iteration" ? { ...event, time: { at: "" } } : event);
    expect(log.clock("grpo").turns).toEqual([128, null, null]);
    expect(log.clock("grpo").tokens).toEqual([640, null, null]);
    expect(log.clock("grpo").seconds).toEqual([null, null, null]);
    expect(log.clock("nobody").turns).toEqual([]);
  });
});

describe("the view of the curves", () => {
  it("forgets its zoom with another axis, and only then", () => {
    const zoomed = { ...START_VIEW, domain: [2, 5] as const, reading: 3 };
    expect(changed(zoomed, { axis: "tokens" })).toMatchObject({ domain: null, reading: null });
    expect(changed(zoomed, { axis: "iteration", smoothing: 0.5 })).toMatchObject({
      domain: [2, 5],
      smoothing: 0.5,
    });
    expect(toggled(toggled([], "a"), "b")).toEqual(["a", "b"]);
    expect(toggled(["a", "b"], "a")).toEqual(["b"]);
  });
});
