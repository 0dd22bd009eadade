/** Notebooks in the browser's storage: upgraded, with earlier versions, and where there is no room. */
import "fake-indexeddb/auto";
import { openDB } from "idb";
import { afterEach, describe, expect, it, vi } from "vitest";
import { browserRuns, type KeptRun } from "../../../src/runtime/shelf/keptRuns.ts";
import { browserShelf, type KeptNotebook } from "../../../src/runtime/shelf/notebooks.ts";
import {
  MOST_VERSIONS,
  thinnedTimes,
  type KeptVersion,
} from "../../../src/runtime/shelf/versions.ts";
import { presetSpec } from "../../../src/spec/presets.ts";
import { makeV1 } from "./storageV1.ts";

let databases = 0;
const newName = () => `test-shelf-${databases++}`;

const notebook = (text: string): KeptNotebook => ({
  ...{ id: "abcd", title: "One", text },
  ...{ created: "2026-01-01T00:00:00.000Z", changed: "2026-01-01T00:00:00.000Z" },
});

const versionAt = (minute: number): KeptVersion => ({
  ...{ notebook: "abcd", title: "One", text: `# ${minute}\n` },
  saved: new Date(Date.now() - (1000 - minute) * 60_000).toISOString(),
});

/** Every write to a store of this name fails as it does without room. */
function refuse(store: string): void {
  const put = IDBObjectStore.prototype.put;
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
    this: IDBObjectStore,
    value: unknown,
    key?: IDBValidKey,
  ) {
    if (this.name !== store) return put.call(this, value, key);
    throw new DOMException("No room.", "QuotaExceededError");
  });
}

afterEach(() => void vi.restoreAllMocks());

it("whatever is kept is on the disk before it counts as kept", async () => {
  const asked: [string | undefined, string | undefined][] = [];
  const transaction = IDBDatabase.prototype.transaction;
  vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(function (
    this: IDBDatabase,
    stores: string | Iterable<string>,
    mode?: IDBTransactionMode,
    options?: IDBTransactionOptions,
  ) {
    asked.push([mode, options?.durability]);
    return transaction.call(this, stores, mode, options);
  });
  const shelf = browserShelf(newName());
  await shelf.put(notebook("# A\n"), versionAt(1));
  await shelf.putAnswers([
    { ...{ notebook: "abcd", question: "Q" }, ...{ given: "1", verdict: "right", hinted: false } },
  ]);
  const run: KeptRun = {
    ...{ id: "run", place: "#/first", spec: presetSpec("nano"), state: "running", iteration: 0 },
    ...{ bytes: 0, begun: "2026-01-01T00:00:00.000Z", changed: "2026-01-01T00:00:00.000Z" },
  };
  await browserRuns(newName()).write({ run, lines: [], from: 0, checkpoint: null });
  const writes = asked.filter(([mode]) => mode === "readwrite");
  expect(writes).toEqual(Array.from({ length: 3 }, () => ["readwrite", "strict"]));
});

it("what was deleted a month ago goes when the notebooks are listed", async () => {
  const name = newName();
  const shelf = browserShelf(name);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await shelf.put({ ...notebook("# Old\n"), id: "old", deleted: daysAgo(31) });
  await shelf.put({ ...notebook("# New\n"), id: "new", deleted: daysAgo(29) });
  await shelf.list();
  await vi.waitFor(async () => expect(await shelf.get("old")).toBeUndefined());
  expect(await shelf.get("new")).toBeDefined();
});

describe("what version 1 kept", () => {
  it("is there after the upgrade: every notebook, as it was, and room for versions", async () => {
    const name = newName();
    await makeV1("turnbook-notebooks", name);
    const shelf = browserShelf(name);
    const all = await shelf.list();
    expect(all.map(({ title }) => title)).toEqual([
      ...["Thrown away", "From a friend", "What does the clip cut?"],
    ]);
    expect(all[1]).toMatchObject({ isForeign: true, created: "2026-10-04T10:00:00.000Z" });
    expect(all[0]!.deleted).toBe("2026-10-06T12:00:00.000Z");
    const own = (await shelf.get("k3x9mnpqrs"))!;
    expect(own.text).toContain("preset: nano\nseed: 7");
    const before = { notebook: own.id, saved: own.changed, title: own.title, text: own.text };
    expect(await shelf.put({ ...own, text: "# New\n" }, before)).toEqual({ kept: true });
    expect(await shelf.versions(own.id)).toEqual([before]);
  });

  it("is there from version 2, too, with its versions, and with room for answers", async () => {
    const name = newName();
    const old = await openDB(name, 2, {
      upgrade: (made) => {
        made.createObjectStore("notebooks", { keyPath: "id" });
        made.createObjectStore("versions", { keyPath: ["notebook", "saved"] });
      },
    });
    const before = versionAt(1);
    await old.put("notebooks", notebook("# A\n"));
    await old.put("versions", before);
    old.close();
    const shelf = browserShelf(name);
    expect((await shelf.get("abcd"))!.text).toBe("# A\n");
    expect(await shelf.versions("abcd")).toEqual([before]);
    const answer = { given: "1", verdict: "right", hinted: false };
    const kept = { notebook: "abcd", question: "question: Q", ...answer };
    expect(await shelf.putAnswers([kept])).toEqual({ kept: true });
    expect(await shelf.answers("abcd")).toEqual([kept]);
    refuse("answers");
    expect(await shelf.putAnswers([kept])).toMatchObject({ kept: false });
  });

  it("has its runs, which say nothing of their checkpoints' sizes", async () => {
    const name = newName();
    await makeV1("turnbook-runs", name);
    const records = browserRuns(name);
    const [run] = await records.list();
    expect(run).toMatchObject({ id: "r2s3t4u5v6", iteration: 3, place: "#book/k3x9mnpqrs/first" });
    const whole = (await records.read(run!.id))!;
    expect(whole.lines.map(({ events }) => events)).toEqual([2]);
    expect(new TextDecoder().decode(whole.lines[0]!.bytes)).toBe('{"event":1}\n{"b":2}\n');
    expect([...whole.checkpoint!.bytes]).toEqual([1, 2, 3]);
  });

  it("waits where a tab with the old page is open, which is said; once it is closed all is well", async () => {
    const name = newName();
    await makeV1("turnbook-notebooks", name);
    const old = await openDB(name, 1);
    const shelf = browserShelf(name);
    expect(await shelf.put(notebook("# A\n"))).toEqual({
      ...{ kept: false, why: "a tab with an older version of this page is open: close it" },
    });
    expect(shelf.placeOf("abcd").kept).toBe(false);
    old.close();
    await vi.waitFor(async () =>
      expect(await shelf.put(notebook("# B\n"))).toEqual({ kept: true }),
    );
    expect(shelf.placeOf("abcd")).toEqual({ kept: true });
    expect((await browserShelf(name).list()).map(({ text }) => text)).toContain("# B\n");
  });

  it("may be upgraded by a still newer page: this one lets go, and says that it is old", async () => {
    const name = newName();
    const shelf = browserShelf(name);
    await shelf.put(notebook("# A\n"));
    (await openDB(name, 9)).close();
    expect(await shelf.put(notebook("# B\n"))).toMatchObject({
      why: "a newer version of this page has changed the storage: reload the page",
    });
    expect((await shelf.get("abcd"))!.text).toBe("# B\n");
  });
});

describe("versions", () => {
  it("are limited per notebook, the newest and the oldest among them", async () => {
    const shelf = browserShelf(newName());
    for (let minute = 0; minute < 30; minute++)
      await shelf.put(notebook("# Now\n"), versionAt(minute * 10));
    const minutes = (await shelf.versions("abcd")).map(({ text }) => Number(text.slice(2)));
    expect(minutes).toHaveLength(MOST_VERSIONS);
    expect(minutes[0]).toBe(290);
    expect(minutes.at(-1)).toBe(0);
    await shelf.put(
      { ...notebook("# Other\n"), id: "efgh" },
      { ...versionAt(5), notebook: "efgh" },
    );
    expect(await shelf.versions("efgh")).toHaveLength(1);
    await shelf.drop("abcd");
    expect(await shelf.versions("abcd")).toEqual([]);
    expect(await shelf.versions("efgh")).toHaveLength(1);
  });

  it("are left out where only the notebook itself finds room", async () => {
    const name = newName();
    const shelf = browserShelf(name);
    refuse("versions");
    expect(await shelf.put(notebook("# A\n"), versionAt(1))).toEqual({ kept: true });
    expect((await browserShelf(name).get("abcd"))!.text).toBe("# A\n");
  });

  it("are kept in memory with a notebook that finds none, and stored with it later", async () => {
    const name = newName();
    const shelf = browserShelf(name);
    refuse("notebooks");
    const full = { kept: false, why: "the browser's storage is full" };
    expect(await shelf.put(notebook("# A\n"), versionAt(1))).toEqual(full);
    expect(shelf.placeOf("abcd")).toEqual(full);
    expect((await shelf.list()).map(({ text }) => text)).toEqual(["# A\n"]);
    expect(await shelf.versions("abcd")).toHaveLength(1);
    vi.restoreAllMocks();
    expect(await shelf.put(notebook("# B\n"), versionAt(2))).toEqual({ kept: true });
    const texts = (await browserShelf(name).versions("abcd")).map(({ text }) => text);
    expect(texts).toEqual(["# 2\n", "# 1\n"]);
  });

  it("thin out with age: nothing goes while there is room, gaps grow backwards", () => {
    const now = 100 * 86_400_000;
    const hourly = Array.from({ length: 200 }, (_, i) => now - (200 - i) * 3_600_000);
    expect(thinnedTimes(hourly.slice(0, MOST_VERSIONS), now)).toEqual([]);
    let left: number[] = [];
    for (const time of hourly) {
      const all = [...left, time];
      const gone = new Set(thinnedTimes(all, time + 1));
      left = all.filter((one) => !gone.has(one));
    }
    expect(left).toHaveLength(MOST_VERSIONS);
    expect([left[0], left.at(-1)]).toEqual([hourly[0], hourly.at(-1)]);
    const gaps = left.slice(1).map((time, i) => time - left[i]!);
    const mean = (some: number[]) => some.reduce((a, b) => a + b, 0) / some.length;
    expect(mean(gaps.slice(0, 5))).toBeGreaterThan(4 * mean(gaps.slice(-5)));
  });
});
