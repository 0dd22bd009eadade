/** Sweeps of a notebook, and its text, belong to one tab at a time: another hears of it, and takes them when that one gives them back or is gone. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Claim, claimNotebook } from "../../../src/runtime/shelf/claim.ts";

/** As much of a browser's locks as a page uses: one holder of a name, and those that wait. */
function fakeLocks() {
  const held = new Set<string>();
  const waiting: (() => void)[] = [];
  type Body = (lock: object | null) => unknown;
  const hold = async (name: string, body: Body) => {
    held.add(name);
    await body({});
    held.delete(name);
    for (const go of waiting.splice(0)) go();
  };
  return {
    query: async () => ({ held: [...held].map((name) => ({ name })) }),
    request: async (
      name: string,
      options: { ifAvailable?: boolean; signal?: AbortSignal },
      body: Body,
    ) => {
      if (held.has(name) && options.ifAvailable) return void (await body(null));
      while (held.has(name))
        await new Promise<void>((go, stop) => {
          waiting.push(go);
          options.signal?.addEventListener("abort", () => stop(new Error("aborted")));
        });
      await hold(name, body);
    },
  };
}

beforeEach(() => {
  vi.stubGlobal("navigator", { locks: fakeLocks() });
  vi.stubGlobal("BroadcastChannel", FakeChannel);
  FakeChannel.all = [];
});
afterEach(() => vi.unstubAllGlobals());

class FakeChannel {
  static all: FakeChannel[] = [];
  heard: (() => void)[] = [];
  constructor(readonly name: string) {
    FakeChannel.all.push(this);
  }
  addEventListener(_type: string, heard: () => void) {
    this.heard.push(heard);
  }
  close() {
    this.heard = [];
  }
  postMessage() {
    for (const one of FakeChannel.all)
      if (one !== this && one.name === this.name) one.heard.forEach((hear) => hear());
  }
}

const sweepsOf = (home: string) => new Claim(`turnbook-sweeps-${home}`);

it("one tab has them; the other is told, and may take them when all of the first have given them back", async () => {
  const [first, second] = [sweepsOf("#book/a"), sweepsOf("#book/a")];
  const heard = vi.fn();
  second.onChange(heard);
  const [one, two] = [await first.take(), await first.take()];
  expect(heard).toHaveBeenCalled();
  expect(await first.isElsewhere()).toBe(false);
  expect(await second.isElsewhere()).toBe(true);
  expect(await second.take()).toBeNull();
  expect(await sweepsOf("#book/b").take()).not.toBeNull();
  one!();
  one!();
  expect(await second.take()).toBeNull();
  heard.mockClear();
  two!();
  await vi.waitFor(() => expect(heard).toHaveBeenCalled());
  await vi.waitFor(async () => expect(await second.isElsewhere()).toBe(false));
  expect(await second.take()).not.toBeNull();
  expect(await first.isElsewhere()).toBe(true);
});

it("hears of a tab that is gone, which says nothing", async () => {
  let end = () => {};
  void navigator.locks.request("turnbook-sweeps-#book/a", { ifAvailable: true }, () => {
    return new Promise<void>((resolve) => (end = resolve));
  });
  const claim = sweepsOf("#book/a");
  const heard = vi.fn();
  claim.onChange(heard);
  expect(await claim.isElsewhere()).toBe(true);
  end();
  await vi.waitFor(() => expect(heard).toHaveBeenCalled());
  expect(await claim.isElsewhere()).toBe(false);
});

it("without locks every tab trains its own", async () => {
  vi.stubGlobal("navigator", {});
  const [first, second] = [sweepsOf("#book/a"), sweepsOf("#book/a")];
  expect(await first.take()).not.toBeNull();
  expect(await second.isElsewhere()).toBe(false);
  expect(await second.take()).not.toBeNull();
});

describe("a notebook's text", () => {
  const tab = () => {
    const events = { onTurn: vi.fn(), onChange: vi.fn() };
    return { ...events, ...claimNotebook("abcd", events) };
  };

  it("is written by one tab; the next one writes when that is gone, but not one that has left", async () => {
    const first = tab();
    await vi.waitFor(() => expect(first.onTurn).toHaveBeenCalledWith(true));
    const [left, next] = [tab(), tab()];
    await vi.waitFor(() => expect(next.onTurn).toHaveBeenCalledWith(false));
    next.onChange.mockClear();
    first.changed();
    expect(next.onChange).toHaveBeenCalledOnce();
    expect(first.onChange).not.toHaveBeenCalled();
    left.end();
    first.end();
    await vi.waitFor(() => expect(next.onTurn).toHaveBeenLastCalledWith(true));
    expect(left.onTurn.mock.calls).toEqual([[false]]);
    next.end();
    await vi.waitFor(async () => expect((await navigator.locks.query()).held).toEqual([]));
  });

  it("is written by every tab without locks", async () => {
    vi.stubGlobal("navigator", {});
    for (const one of [tab(), tab()])
      await vi.waitFor(() => expect(one.onTurn).toHaveBeenCalledWith(true));
  });
});
