import { describe, expect, it, vi } from "vitest";
import { encodeEvents } from "../../src/record/eventLines.ts";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { LiveLog } from "../../src/store/liveLog.ts";
import { chained, syntheticEvents } from "../fixtures/syntheticRun.ts";

const spec = presetSpec("nano");
const drafts = [...syntheticEvents(spec)].slice(0, 40);
const events = chained(drafts);
/** The same run up to its 20th event, and another one from there. */
const others = chained([
  ...drafts.slice(0, 20),
  ...drafts
    .slice(20)
    .map((event) => ("metrics" in event ? { ...event, metrics: { a: 1 } } : event)),
]);

const portion = (some: RunEvent[]) => ({ events: some, lines: encodeEvents(some) });
const textOf = async (live: LiveLog) => (await live.raw.blob()).text();
const linesOf = (some: RunEvent[]) => new TextDecoder().decode(encodeEvents(some));

function setUp() {
  const onCut = vi.fn();
  return { onCut, live: LiveLog.empty(spec, onCut) };
}

describe("LiveLog", () => {
  it("skips what a new worker repeats, and goes on where the log ended", async () => {
    const { live, onCut } = setUp();
    live.take(portion(events.slice(0, 25)));
    const { log } = live;
    live.restartAt(10);
    // Portions need not end where the old ones did.
    live.take(portion(events.slice(10, 23)));
    live.take(portion(events.slice(23, 40)));
    expect(live.log).toBe(log);
    expect(log.version).toBe(40);
    expect(log.lastChain).toBe(events[39]!.chain);
    expect(await textOf(live)).toBe(linesOf(events));
    expect(onCut).not.toHaveBeenCalled();
  });

  it("is cut back where a chain differs, and keeps what came meanwhile", async () => {
    const { live, onCut } = setUp();
    live.take(portion(events.slice(0, 33)));
    const before = live.log;
    live.restartAt(10);
    live.take(portion(others.slice(10, 30)));
    live.take(portion(others.slice(30, 40)));
    await vi.waitFor(() => expect(onCut).toHaveBeenCalled());
    expect(live.log).not.toBe(before);
    expect(live.log.version).toBe(40);
    expect(live.log.lastChain).toBe(others[39]!.chain);
    expect(live.log.chainOf(19)).toBe(events[19]!.chain);
    expect(await textOf(live)).toBe(linesOf(others));
  });

  it("keeps the episodes of what it keeps", async () => {
    const { live, onCut } = setUp();
    live.take(portion(events));
    const [method] = live.log.algorithms;
    const episodes = live.log.episodes(method!, 1);
    expect(episodes.length).toBeGreaterThan(0);
    live.restartAt(0);
    live.take(portion(others));
    await vi.waitFor(() => expect(onCut).toHaveBeenCalled());
    expect(live.log.episodes(method!, 1)).toEqual(episodes);
  });

  it("forgets what a worker said that was replaced while the log was being cut", async () => {
    const { live, onCut } = setUp();
    live.take(portion(events.slice(0, 33)));
    live.restartAt(10);
    live.take(portion(others.slice(10, 40)));
    live.restartAt(10);
    live.take(portion(events.slice(10, 40)));
    await vi.waitFor(() => expect(onCut).toHaveBeenCalled());
    expect(live.log.lastChain).toBe(events[39]!.chain);
    expect(await textOf(live)).toBe(linesOf(events));
  });
});
