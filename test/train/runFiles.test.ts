import { expect, test } from "vitest";
import { presetSpec } from "../../src/spec/presets.ts";
import {
  decodeMarker,
  encodeMarker,
  keptCheckpoint,
  keptIteration,
} from "../../src/train/runFiles.ts";

test("a marker gives back its spec", () => {
  const spec = presetSpec("nano");
  expect(decodeMarker(encodeMarker(spec))).toEqual(spec);
});

test.each([
  ["", "is not JSON"],
  ["{", "is not JSON"],
  ["null", "the format in turnbook-run.json is nothing"],
  ['{"format":"turnbook-run-9"}', 'is "turnbook-run-9"; it must be "turnbook-run-1"'],
  ['{"format":"turnbook-run-1","spec":{"seed":1}}', "its SHA-256 does not match its spec"],
])("%j is not a marker", (text, message) => {
  expect(() => decodeMarker(text)).toThrow(message);
});

test("a kept checkpoint's name gives its iteration; no other name does", () => {
  expect(keptIteration(keptCheckpoint(12))).toBe(12);
  for (const path of [
    "checkpoints/llama/model.bin",
    "iteration-1.zip",
    "checkpoints/iteration-0.zip",
  ])
    expect(keptIteration(path)).toBeNull();
});

test("a changed spec is noticed", () => {
  const text = encodeMarker(presetSpec("nano")).replace('"seed":1', '"seed":2');
  expect(() => decodeMarker(text)).toThrow("damaged");
});
