/** Marks of findings on the run bar's track: those that would cover each other are one. */
import { expect, it } from "vitest";
import { markedPlaces } from "../../src/app/shell/Timeline.tsx";
import type { Finding } from "../../src/record/runEvent.ts";

const at = (iteration: number): Finding => ({
  detector: "entropy",
  title: "Entropy collapse",
  severity: "warning",
  algorithm: "grpo",
  iteration,
  firstBad: iteration,
  says: "",
  evidence: [],
  cause: "",
  remedies: [],
});

it("has one mark for findings that are close together, in the run's order", () => {
  const places = markedPlaces([at(40), at(10), at(12), at(13)], 50);
  expect(places.map((group) => group.map(({ iteration }) => iteration))).toEqual([
    [10, 12],
    [13],
    [40],
  ]);
});
