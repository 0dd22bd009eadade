/** Checkpoints among the browser's files: written by a worker that may be killed at any byte, and read with the log they belong to. */
import "fake-indexeddb/auto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Keeping } from "../../../src/runtime/keeping.ts";
import { browserRuns, type KeptRun } from "../../../src/runtime/shelf/keptRuns.ts";
import { browserRunFiles } from "../../../src/runtime/shelf/runFiles.ts";
import { joinLines } from "../../../src/runtime/shelf/slot.ts";
import { SlotWriter } from "../../../src/runtime/shelf/slotWriter.ts";
import { presetSpec } from "../../../src/spec/presets.ts";
import { browserFiles } from "../../fixtures/browserFiles.ts";
import { makeV1 } from "./storageV1.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
/** Lines of these events. */
const linesOf = (from: number, to: number, history = "one") => ({
  bytes: encode(
    Array.from(
      { length: to - from },
      (_, n) => `${JSON.stringify({ n: from + n, chain: `${history}-${from + n}` })}\n`,
    ).join(""),
  ),
  events: to - from,
});
const checkpointAt = (events: number) => ({
  ...{ bytes: new Uint8Array([7, events]), iteration: events, events },
});
const slotAt = (events: number, from = events - 1, history = "one") => ({
  ...{ checkpoint: checkpointAt(events), tail: linesOf(from, events, history) },
});

let databases = 0;
const runOf = (id: string): KeptRun => ({
  ...{ id, place: "#/first", spec: presetSpec("nano"), state: "running", iteration: 0, bytes: 0 },
  ...{ begun: "", changed: new Date().toISOString() },
});

function setUp(base = 0) {
  const made = browserFiles();
  const files = browserRunFiles(made.root);
  const records = browserRuns(`test-files-${databases++}`, files);
  const writer = new SlotWriter("k3x9", base, made.root);
  return { ...made, files, records, writer };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("the worker's file", () => {
  it("holds the newest checkpoint and the one before", async () => {
    const { writer, files } = setUp();
    expect(await files.read("k3x9")).toEqual([]);
    for (const events of [3, 5, 8]) expect(await writer.write(slotAt(events))).toBe(true);
    const slots = await files.read("k3x9");
    expect(slots.map(({ checkpoint }) => checkpoint)).toEqual([
      { ...checkpointAt(8), inFile: true },
      { ...checkpointAt(5), inFile: true },
    ]);
    expect(slots[0]!.tail).toEqual(linesOf(7, 8));
  });

  it.each([0, 1, 2])("killed after %i of its writes leaves the one before", async (writes) => {
    const { writer, files, rules } = setUp();
    await writer.write(slotAt(3));
    await writer.write(slotAt(5));
    rules.writes = writes;
    expect(await writer.write(slotAt(8))).toBe(false);
    const slots = await files.read("k3x9");
    expect(slots.map(({ checkpoint: { events } }) => events)).toEqual([5]);
  });

  it("does not count where it is further than the run begins again: its history may be another", async () => {
    const { writer, files, root } = setUp();
    for (const events of [3, 5]) await writer.write(slotAt(events));
    const next = new SlotWriter("k3x9", 3, root);
    await next.write(slotAt(4, 3, "two"));
    const left = await files.read("k3x9");
    expect(left.map(({ checkpoint: { events } }) => events)).toEqual([4, 3]);
  });

  it("is given up where the browser's files do not answer, so that the run goes on", async () => {
    const { writer, files, rules } = setUp();
    await writer.write(slotAt(3));
    vi.useFakeTimers();
    rules.silent = true;
    const written = writer.write(slotAt(5));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await written).toBe(false);
    rules.silent = false;
    expect(await writer.write(slotAt(8))).toBe(false);
    expect((await files.read("k3x9")).map(({ checkpoint }) => checkpoint.events)).toEqual([3]);
  });

  it("is refused where the storage is full or forbidden, and what was kept still is", async () => {
    const { writer, files, rules } = setUp();
    await writer.write(slotAt(3));
    rules.room = 20;
    expect(await writer.write(slotAt(5))).toBe(false);
    expect(await files.read("k3x9")).toHaveLength(1);
    const none = new SlotWriter("k3x9", 0, () => Promise.reject(new Error("forbidden")));
    expect(await none.write(slotAt(3))).toBe(false);
  });
});

describe("what the worker adds to a checkpoint", () => {
  it("is all of the log that the page has not kept, and one line at least", async () => {
    const slots: ReturnType<typeof slotAt>[] = [];
    const keeping = new Keeping({ write: async (slot) => slots.push(slot as never) > 0 }, 4);
    const save = async (events: number) => {
      await keeping.write(checkpointAt(events));
      return slots.at(-1)!.tail;
    };
    expect(await save(4)).toMatchObject({ events: 0 });
    keeping.note(linesOf(4, 6).bytes, 2);
    keeping.note(linesOf(6, 9).bytes, 3);
    expect(await save(9)).toEqual(linesOf(4, 9));
    keeping.pageHas(7);
    expect(await save(9)).toEqual(linesOf(7, 9));
    keeping.pageHas(9);
    expect(await save(9)).toEqual(linesOf(8, 9));
    keeping.note(linesOf(9, 10).bytes, 1);
    expect(await save(10)).toEqual(linesOf(9, 10));
  });
});

describe("a log and a checkpoint's lines", () => {
  const text = (lines: ReturnType<typeof joinLines>) =>
    lines?.map(({ bytes }) => decode(bytes)).join("") ?? null;

  it("are one log where they meet or overlap", () => {
    const whole = decode(linesOf(0, 6).bytes);
    for (const known of [2, 4, 6])
      expect(text(joinLines([linesOf(0, known)], slotAt(6, 2)))).toBe(whole);
    // The page was ahead of the checkpoint.
    expect(text(joinLines([linesOf(0, 3), linesOf(3, 9)], slotAt(6, 2)))).toBe(
      decode(linesOf(0, 9).bytes),
    );
  });

  it("are not joined over a gap, nor with another history", () => {
    expect(joinLines([linesOf(0, 1)], slotAt(6, 2))).toBeNull();
    expect(joinLines([linesOf(0, 4)], slotAt(6, 2, "two"))).toBeNull();
    expect(joinLines([linesOf(0, 9)], slotAt(6, 5, "two"))).toBeNull();
  });
});

describe("a kept run", () => {
  it("is read with its newest file, and what the page did not keep comes with it", async () => {
    const { records, writer } = setUp();
    const run = runOf("k3x9");
    const old = checkpointAt(2);
    await records.write({ run, lines: [linesOf(0, 4)], from: 0, checkpoint: old });
    expect((await records.read("k3x9"))!.checkpoint).toEqual(old);
    await writer.write(slotAt(5, 3));
    await writer.write(slotAt(9, 6));
    // The newest is too far ahead of the log.
    const read = (await records.read("k3x9"))!;
    expect(read.checkpoint).toMatchObject({ events: 5, inFile: true });
    expect(read.lines).toEqual([linesOf(0, 4), linesOf(4, 5)]);
    expect(read.stored).toBe(1);
    await records.write({ run, lines: [linesOf(4, 8)], from: 1, checkpoint: null });
    expect((await records.read("k3x9"))!.checkpoint).toMatchObject({ events: 9 });
  });

  it("has its checkpoint in one place only", async () => {
    const { records, writer } = setUp();
    const run = runOf("k3x9");
    await records.write({ run, lines: [linesOf(0, 4)], from: 0, checkpoint: checkpointAt(2) });
    await writer.write(slotAt(4));
    const inFile = { ...checkpointAt(4), inFile: true };
    await records.write({ run, lines: [], from: 1, checkpoint: inFile });
    const { files } = setUp();
    const alone = browserRuns(`test-files-${databases - 2}`, files);
    expect((await alone.read("k3x9"))!.checkpoint).toBeNull();
  });

  it("goes with its files, also when its worker is just writing; and with it what no run knows", async () => {
    const { records, writer, files, top, root } = setUp();
    await new SlotWriter("strange", 0, root).write(slotAt(3));
    await records.write({ run: runOf("k3x9"), lines: [], from: 0, checkpoint: null });
    await writer.write(slotAt(3));
    await expect.poll(() => files.ids()).toEqual(["k3x9"]);
    const folder = (await top.getDirectoryHandle("turnbook-runs")).entries.get("k3x9");
    const file = await (folder as typeof top).getFileHandle("a");
    const access = await file.createSyncAccessHandle();
    setTimeout(access.close, 60);
    await records.drop("k3x9");
    expect(await files.ids()).toEqual([]);
    // Its worker does not bring it back.
    expect(await writer.write(slotAt(5))).toBe(false);
  });

  it("of version 1 is opened with the checkpoint in its database, and leaves it for a file", async () => {
    const name = `test-files-${databases++}`;
    await makeV1("turnbook-runs", name);
    const { files, root } = setUp();
    const records = browserRuns(name, files);
    const id = "r2s3t4u5v6";
    const kept = (await records.read(id))!;
    expect(kept.checkpoint).toEqual({ bytes: new Uint8Array([1, 2, 3]), iteration: 3, events: 2 });
    await new SlotWriter(id, 2, root).write(slotAt(3, 2));
    expect((await records.read(id))!.checkpoint).toMatchObject({ events: 3, inFile: true });
  });
});
