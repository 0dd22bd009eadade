import { expect, it } from "vitest";
import { causeVerdict, conclusions, pairedEnds } from "../../../src/figures/curves/conclude.ts";
import { metricOf } from "../../../src/figures/curves/metrics.ts";
import { logOfEvents, plantedEvents } from "../../fixtures/plantedLog.ts";

const metric = metricOf("heldout", "sokoban")!;
const METHOD = "turn-ppo";

/** A run of a seed that starts at 0.2 and ends at a level. */
const run = (seed: number, end: number) =>
  logOfEvents(plantedEvents({ changes: { seed }, heldOut: (since) => (since < 0 ? 0.2 : end) }));
const runs = (...ends: number[]) => ends.map((end, i) => run(i + 1, end));

it("pairs runs by their seed; one without a twin is left out", () => {
  const pairs = pairedEnds(
    [[run(1, 0.1), run(2, 0.12), run(3, 0.1)], [run(2, 0.3)]],
    METHOD,
    metric,
  );
  expect(pairs).toEqual([{ first: expect.closeTo(0.2, 3), asIs: 0.12, changed: 0.3 }]);
});

it("says the difference of each setting to the first, and whether its interval leaves out 0", () => {
  const settings = [runs(0.1, 0.12, 0.1), runs(0.3, 0.31, 0.32), runs(0.1, 0.3, 0)];
  const said = conclusions(
    settings.map((logs) => ({ logs })),
    [METHOD],
    metric,
  );
  expect(said).toHaveLength(2);
  expect(said[0]).toMatch(
    /^B minus A: Held-out success \+20\.3\spoints, 3 pairs of seeds, .*leaves out 0\.$/,
  );
  expect(said[1]).toMatch(
    /^C minus A: .*holds 0: this cannot tell\. (About|More than) \d+ seeds would/,
  );
});

it("cuts an interval to what the score can differ by, and asks for a spread where there is none", () => {
  const two = [runs(0, 1), runs(1, 0.9)].map((logs) => ({ logs }));
  expect(conclusions(two, [METHOD], metric)[0]).toMatch(
    /interval −100\.0\spoints to \+100\.0\spoints/,
  );
  const one = [runs(0.1), runs(0.3)].map((logs) => ({ logs }));
  expect(conclusions(one, [METHOD], metric)[0]).toMatch(/One seed has no spread\.$/);
  expect(conclusions([{ logs: runs(0.1) }], [METHOD], metric)).toEqual([]);
});

it("settles a cause by what its removal gives back", () => {
  const verdict = (changed: ReturnType<typeof runs>) =>
    causeVerdict([runs(0.1, 0.12, 0.1), changed], METHOD, metric);
  expect(verdict(runs(0.3, 0.31, 0.32))).toMatch(/the cause stands/);
  expect(verdict(runs(0.1, 0.12, 0.101))).toMatch(/does not stand/);
  expect(verdict([])).toBeNull();
});
