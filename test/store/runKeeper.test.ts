import "fake-indexeddb/auto";
import { describe, expect, it, vi } from "vitest";
import { RawRun } from "../../src/reading/log/rawRun.ts";
import { browserRuns, type KeptRun, type RunRecords } from "../../src/runtime/shelf/keptRuns.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { readKept } from "../../src/store/resumeRun.ts";
import { RunKeeper } from "../../src/store/runKeeper.ts";
import { eventsMessage, syntheticRun } from "../fixtures/syntheticRun.ts";

const spec = presetSpec("nano");
const events = syntheticRun(spec);
let databases = 0;

const CURVES = {
  ...{ measure: "heldout" as const, lines: [{ method: "grpo", x: [0, 1], y: [0.1, 0.2] }] },
};

/** Every test has a database of its own. */
function setUp(records: RunRecords = browserRuns(`test-runs-${databases++}`)) {
  const raw = new RawRun(spec);
  const seen: { ids: (string | null)[]; why: (string | null)[] } = { ids: [], why: [] };
  const release = vi.fn();
  const keeper = new RunKeeper({
    ...{ records, place: () => "#/first", claim: async () => release },
    curves: () => CURVES,
    onRun: (id) => seen.ids.push(id),
    onPlace: (why) => seen.why.push(why),
  });
  const add = (from: number, to: number) => {
    const some = events.slice(from, to);
    raw.append(eventsMessage(some).lines, some.length);
  };
  return { records, raw, keeper, seen, add, release };
}

const checkpointAt = (count: number, iteration = 1) => ({
  ...{ bytes: new Uint8Array([1, 2, count]), iteration, events: count },
});

async function only(records: RunRecords): Promise<KeptRun> {
  const runs = await records.list();
  expect(runs).toHaveLength(1);
  return runs[0]!;
}

describe("a live run", () => {
  it("is kept as it grows, and read again with its checkpoint, line by line", async () => {
    const { records, raw, keeper, add } = setUp();
    keeper.begin(raw);
    add(0, 2);
    await keeper.flush();
    expect(keeper.isKept).toBe(true);
    add(2, 5);
    raw.checkpoint = checkpointAt(4);
    add(5, 6);
    keeper.note("paused");
    await keeper.flush();
    const kept = await only(records);
    expect(kept).toMatchObject({ place: "#/first", state: "paused", iteration: 1 });
    expect(kept).toMatchObject({ bytes: raw.size, checkpointBytes: 3, curves: CURVES });
    const read = (await readKept(kept.id, records, async () => () => {}))!;
    expect(read.log.version).toBe(6);
    expect(read.raw.checkpoint).toEqual(checkpointAt(4));
    expect(await (await read.raw.blob()).text()).toBe(await (await raw.blob()).text());
    for (let i = 0; i < 6; i++) expect(read.log.chainOf(i)).toBe(events[i]!.chain);
  });

  it("has a worker that hears what is kept of it, and when nothing is any more", async () => {
    const { raw, keeper, add } = setUp();
    const send = vi.fn();
    keeper.worker = { send };
    keeper.begin(raw);
    add(0, 2);
    add(2, 5);
    await keeper.flush();
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: "kept", events: 5 });
    keeper.drop();
    expect(send).toHaveBeenLastCalledWith({ type: "forget" });
  });

  it("that goes on from another's checkpoint keeps it itself: the file is the other's", async () => {
    const { records, raw, keeper, add } = setUp();
    add(0, 4);
    raw.checkpoint = { ...checkpointAt(4), inFile: true };
    keeper.begin(raw);
    await keeper.flush();
    const { id } = await only(records);
    expect((await records.read(id))!.checkpoint).toMatchObject(checkpointAt(4));
  });

  it("is cut back where its log is, also within a portion", async () => {
    const { records, raw, keeper, add } = setUp();
    keeper.begin(raw);
    add(0, 4);
    add(4, 6);
    await keeper.flush();
    raw.cut(3);
    add(3, 5);
    await keeper.flush();
    const { id } = await only(records);
    const { lines } = (await records.read(id))!;
    expect(lines.map((some) => some.events)).toEqual([3, 2]);
    const read = (await readKept(id, records, async () => null)) ?? "another tab has it";
    expect(read).toBe("another tab has it");
  });

  it("goes on where it was adopted: what was kept is not written again", async () => {
    const first = setUp();
    first.keeper.begin(first.raw);
    first.add(0, 4);
    first.raw.checkpoint = checkpointAt(3);
    await first.keeper.flush();
    const { id } = await only(first.records);
    const run = (await readKept(id, first.records, async () => () => {}))!;
    const { raw } = run;
    const write = vi.fn(first.records.write);
    const second = setUp({ ...first.records, write });
    second.keeper.adopt(run);
    expect(second.keeper.isKept).toBe(true);
    await second.keeper.flush();
    expect(write).not.toHaveBeenCalled();
    raw.append(eventsMessage(events.slice(4, 5)).lines, 1);
    await second.keeper.flush();
    expect(write.mock.calls[0]![0]).toMatchObject({ from: 1, checkpoint: null });
    const again = await readKept(id, first.records, async () => () => {});
    expect(again!.log.version).toBe(5);
  });

  it("goes for good when it is dropped; one that another follows stays", async () => {
    const { records, raw, keeper, add, seen, release } = setUp();
    keeper.begin(raw);
    add(0, 2);
    const next = new RawRun(spec);
    keeper.begin(next);
    await keeper.flush();
    expect(await records.list()).toHaveLength(2);
    keeper.drop();
    await vi.waitFor(async () => expect(await records.list()).toHaveLength(1));
    expect((await only(records)).bytes).toBe(raw.size);
    expect(seen.ids.map((id) => id === null)).toEqual([false, false, true]);
    await vi.waitFor(() => expect(release).toHaveBeenCalledTimes(2));
    expect(keeper.isKept).toBe(false);
  });

  it("is given up where storage is full: that is said, nothing half stays, and the run goes on", async () => {
    const records = browserRuns(`test-runs-${databases++}`);
    let room = 1;
    const full = { kept: false, why: "the browser's storage is full" } as const;
    const { raw, keeper, add, seen } = setUp({
      ...records,
      write: async (change) => (room-- > 0 ? records.write(change) : full),
    });
    keeper.begin(raw);
    add(0, 2);
    await keeper.flush();
    add(2, 4);
    await keeper.flush();
    expect(keeper.isKept).toBe(false);
    expect(seen.why.at(-1)).toBe("the browser's storage is full");
    await vi.waitFor(async () => expect(await records.list()).toEqual([]));
    add(4, 5);
    await keeper.flush();
    expect(raw.chunks).toHaveLength(3);
  });
});

describe("what is kept", () => {
  it("is at most twelve runs, the newest", async () => {
    const records = browserRuns(`test-runs-${databases++}`);
    const now = Date.now();
    const run = (n: number): KeptRun => ({
      ...{ id: `run-${n}`, place: "#/first", spec, state: "paused", iteration: 0, bytes: 10 },
      ...{ begun: "", changed: new Date(now + n * 1000).toISOString() },
    });
    for (let n = 0; n < 15; n++)
      await records.write({ run: run(n), lines: [], from: 0, checkpoint: checkpointAt(n) });
    const ids = (await records.list()).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 12 }, (_, i) => `run-${14 - i}`));
    expect(await records.read("run-2")).toBeUndefined();
    expect((await records.read("run-3"))!.checkpoint).toEqual(checkpointAt(3));
  });

  it("of old versions is refused where lines are missing, and the tab gives the run back", async () => {
    const { records, raw, keeper, add } = setUp();
    keeper.begin(raw);
    add(0, 3);
    await keeper.flush();
    const { id } = await only(records);
    const whole = (await records.read(id))!;
    const release = vi.fn();
    const torn = {
      ...records,
      read: async () => ({ ...whole, lines: [{ ...whole.lines[0]!, events: 9 }] }),
    };
    await expect(readKept(id, torn, async () => release)).rejects.toThrow(/3 of 9 events/);
    expect(release).toHaveBeenCalledOnce();
  });

  it("is nothing without storage, and says so", async () => {
    const records = browserRuns(`test-runs-${databases++}`);
    const open = vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("no", "SecurityError");
    });
    const run = { id: "a", place: "", spec, state: "running", iteration: 0, bytes: 0 } as const;
    const change = {
      run: { ...run, begun: "", changed: "" },
      lines: [],
      from: 0,
      checkpoint: null,
    };
    expect(await records.write(change)).toEqual({
      ...{ kept: false, why: "the browser forbids storage here" },
    });
    expect(await records.list()).toEqual([]);
    expect(await records.read("a")).toBeUndefined();
    open.mockRestore();
  });
});
