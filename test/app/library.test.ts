// @vitest-environment happy-dom
/** What a page lets go of: notebooks that were read, their experiments, and what these listened to. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLibrary, MOST_AT_REST } from "../../src/app/book/library.ts";
import { moreMayRun } from "../../src/reading/credit/estimates.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import { opened } from "../../src/store/runQueue.ts";
import { openDraft } from "../../src/store/specDraft.ts";

const NOTEBOOK = "# Read\n\n```experiment id=one\npreset: nano\n```\n";

beforeEach(() => {
  opened.clear();
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(NOTEBOOK)));
});
afterEach(() => {
  vi.unstubAllGlobals();
  opened.clear();
});

const lesson = (name: string) => ({ kind: "served", name }) as const;
/** Longer than what is closed takes. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

async function openAll(names: readonly string[]) {
  const library = createLibrary();
  const books = [];
  for (const name of names) {
    books.push(await library.open(lesson(name)));
    await settled();
  }
  return { library, books };
}

const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

it("keeps the notebooks that were read last, and lets go of the others and their experiments", async () => {
  const { library, books } = await openAll(NAMES);
  expect(opened.size).toBe(MOST_AT_REST);
  // The newest is the same; the oldest is opened again.
  expect(await library.open(lesson("j"))).toBe(books.at(-1));
  expect(await library.open(lesson("a"))).not.toBe(books[0]);
  await settled();
  expect(opened.size).toBe(MOST_AT_REST);
});

it("an experiment that was closed hears of nothing any more, and its worker is gone", async () => {
  const { books } = await openAll(NAMES);
  const [one] = books[0]!.experiments.getState().map.values();
  const [last] = books.at(-1)!.experiments.getState().map.values();
  const views = [one, last].map((handle) => handle!.store.getState().view);
  moreMayRun();
  expect(one!.store.getState().view).toBe(views[0]);
  expect(last!.store.getState().view).not.toBe(views[1]);
});

it.each([
  ["trains", { state: "running" }],
  ["is paused", { state: "paused" }],
  ["asks its reader", { leaving: "reset" }],
  [
    "has other settings now",
    { draft: { ...openDraft(presetSpec("nano")), pending: { seed: { text: "x", problem: "" } } } },
  ],
])("a notebook whose experiment %s stays open", async (_, change) => {
  const library = createLibrary();
  const first = await library.open(lesson("first"));
  await settled();
  const [one] = first.experiments.getState().map.values();
  one!.store.setState(change as never);
  for (const name of NAMES) await library.open(lesson(name));
  await settled();
  expect(opened.size).toBe(MOST_AT_REST + 1);
  expect(await library.open(lesson("first"))).toBe(first);
});

it("a store that was closed is not drawn again when code has answered", () => {
  const store = createExperimentStore(presetSpec("nano"));
  const before = store.getState().view;
  moreMayRun();
  const after = store.getState().view;
  expect(after).not.toBe(before);
  store.close();
  moreMayRun();
  expect(store.getState().view).toBe(after);
});
