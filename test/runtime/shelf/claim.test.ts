/** Which kept runs are in use, by the locks that tabs hold. */
import { afterEach, expect, it, vi } from "vitest";
import { notebookOf, usedRuns } from "../../../src/runtime/shelf/claim.ts";

afterEach(() => void vi.unstubAllGlobals());

const holding = (...names: string[]) =>
  vi.stubGlobal("navigator", {
    locks: { query: async () => ({ held: names.map((name) => ({ name })), pending: [] }) },
  });

const runs = [
  { id: "new", place: "#book/abcd/first" },
  { id: "old", place: "#book/abcd/first" },
  { id: "second", place: "#book/abcd/second" },
  { id: "other", place: "#book/efgh/first" },
  { id: "page", place: "#/first" },
];

it("are those of a tab, and the newest of each experiment of an open notebook", async () => {
  holding("turnbook-notebook-abcd", "turnbook-run-page", "something else");
  expect([...(await usedRuns(runs))].sort()).toEqual(["new", "page", "second"]);
  holding("turnbook-run-old");
  expect([...(await usedRuns(runs))]).toEqual(["old"]);
});

it("are none where the browser has no locks", async () => {
  vi.stubGlobal("navigator", {});
  expect((await usedRuns(runs)).size).toBe(0);
  vi.stubGlobal("navigator", { locks: { query: () => Promise.reject(new Error("no")) } });
  expect((await usedRuns(runs)).size).toBe(0);
});

it("belong to a notebook by their place", () => {
  expect(notebookOf("#book/k3x9mnpqrs/first")).toBe("k3x9mnpqrs");
  expect(notebookOf("#/first")).toBeNull();
  expect(notebookOf("#lesson/code/first")).toBeNull();
});
