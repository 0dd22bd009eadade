/** Small values in a storage that may hold anything, or be forbidden. */
import { afterEach, expect, it, vi } from "vitest";
import { readTexts, readValue, writeValue } from "../../../src/runtime/shelf/smallValue.ts";

afterEach(() => vi.unstubAllGlobals());

function storageWith(text: string | null) {
  const kept = new Map(text === null ? [] : [["key", text]]);
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  return kept;
}

it("come back as they were written", () => {
  const kept = storageWith(null);
  writeValue("tab", "key", { a: [1, "x"] });
  expect(kept.get("key")).toBe('{"a":[1,"x"]}');
  expect(readValue("tab", "key")).toEqual({ a: [1, "x"] });
});

it("are nothing where nothing readable stands", () => {
  for (const text of [null, "", "{", "undefined"]) {
    storageWith(text);
    expect(readValue("tab", "key")).toBeNull();
  }
  storageWith('["a", 1, null, "b"]');
  expect(readTexts("tab", "key")).toEqual(["a", "b"]);
  storageWith('{"a": 1}');
  expect(readTexts("tab", "key")).toEqual([]);
});

it("are nothing where storage is forbidden or full", () => {
  const refuse = () => {
    throw new Error("denied");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse });
  expect(readValue("site", "key")).toBeNull();
  expect(() => writeValue("site", "key", 1)).not.toThrow();
  // A sandboxed frame throws where the storage is named; here there is none.
  vi.stubGlobal("localStorage", undefined);
  expect(readTexts("site", "key")).toEqual([]);
});
