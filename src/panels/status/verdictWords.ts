/** UI texts of how a run compares with the expected results in its link. */
import type { LinkMetric } from "../../spec/linkCurves.ts";

export const words = {
  waiting: "Not compared yet",
  waitingText: "Press Run: each iteration is compared with the sender’s as it comes.",
  matches: "Matches so far",
  matchesText: (upTo: number) => `The numbers are the sender’s to the last bit up to ${at(upTo)}.`,
  within: "Within tolerance so far",
  exact: "Reproduced exactly",
  exactText: (iterations: number) =>
    `All ${iterations} iterations match the link to the last bit: every number of this run is the sender’s, too.`,
  tolerated: "Same within tolerance",
  toleratedText:
    "The numbers are not equal to the last bit, as on another device, browser or driver.",
  tolerance: (limits: string) => `Every point is within the tolerance of the sender’s: ${limits}.`,
  limit: (metric: string, limit: string) => `${metric} ±${limit}`,
  diverged: (where: string) => `Diverged${where}`,
  at: (iteration: number) => ` at iteration ${iteration}`,
  between: (from: number, to: number) => ` between iterations ${from} and ${to}`,
  divergedText: (before: number) =>
    before < 1
      ? "The numbers differ from the sender’s from the start."
      : `The numbers match the link up to ${at(before)}, then differ.`,
  divergedAtEnd: "The last number differs; the link does not say where it began.",
  valid: "The run is valid: it is another sample.",
  first: (iteration: number, method: string, metric: string, yours: string, theirs: string) =>
    `First seen at ${at(iteration)}: ${method}, ${metric} ${yours} (sender: ${theirs}).`,
  differs: (list: string) => `What differs from the sender: ${list}.`,
  differing: (name: string, here: string, theirs: string) => `${name} ${here} (sender: ${theirs})`,
  nothing:
    "Settings, engine, device and version are the sender’s: the browser or driver may not be.",
  unknown:
    "The link does not name the sender’s engine. Usual reasons: another engine, graphics card, browser, driver or version of Turnbook.",
  none: "none",
  metrics: {
    reward: "mean reward",
    success: "success rate",
    heldout: "held-out success",
  } satisfies Record<LinkMetric, string>,
  fields: { version: "version", backend: "engine", device: "device" } as Record<string, string>,
  points: (number: string) => `${number} points`,
} as const;

function at(iteration: number): string {
  return iteration === 0 ? "the start" : `iteration ${iteration}`;
}
