/** What the browser keeps of a sweep's runs, found by what they train. */
import "fake-indexeddb/auto";
import { expect, it } from "vitest";
import type { SweepRun } from "../../src/notebook/cells/sweep/plan.ts";
import { RawRun } from "../../src/reading/log/rawRun.ts";
import { browserRuns } from "../../src/runtime/shelf/keptRuns.ts";
import { canonicalJson } from "../../src/spec/canonical.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { RunKeeper } from "../../src/store/runKeeper.ts";
import { findSweepRuns, placeOfSweepRun } from "../../src/store/sweepShelf.ts";
import { eventsMessage, syntheticRun } from "../fixtures/syntheticRun.ts";

const runs = [1, 2, 3].map((seed): SweepRun => {
  const spec = { ...presetSpec("nano"), seed };
  return { key: canonicalJson(spec), setting: "", seed, spec };
});
const placeOf = (run: SweepRun) => placeOfSweepRun("#book/abcd", run);

it("finished runs come back as logs, unfinished ones where they stopped, to the tab that may have them", async () => {
  const records = browserRuns("test-sweep-shelf");
  const claim = async () => () => {};
  let present = runs[0]!;
  const keeper = new RunKeeper({
    ...{ records, claim, place: () => placeOf(present) },
    name: () => `rates, seed ${present.seed}`,
  });
  for (const [i, run] of runs.slice(0, 2).entries()) {
    present = run;
    const raw = new RawRun(run.spec);
    const events = syntheticRun(run.spec).slice(0, 6);
    keeper.begin(raw);
    raw.append(eventsMessage(events).lines, events.length);
    raw.checkpoint = { bytes: new Uint8Array([i]), iteration: 1, events: 5 };
    keeper.note(i === 0 ? "finished" : "paused");
  }
  await keeper.flush();
  const kept = await records.list();
  expect(kept.map(({ name }) => name).sort()).toEqual(["rates, seed 1", "rates, seed 2"]);

  const found = await findSweepRuns(runs, placeOf, { records, claim });
  expect([...found.keys()]).toEqual([runs[0]!.key, runs[1]!.key]);
  const [first, second] = [...found.values()];
  expect(first).toHaveProperty("log.version", 6);
  if (!second || "log" in second) throw new Error("the second has not finished");
  expect(second.iteration).toBe(1);
  const resumed = (await second.takeUp())!;
  // Whoever asks for it wants it to train.
  expect([resumed.kept.state, resumed.log.version]).toEqual(["running", 6]);
  expect(resumed.raw.checkpoint).toMatchObject({ events: 5 });

  // Another notebook has none of them; another tab that has one does not give it.
  const elsewhere = (run: SweepRun) => placeOfSweepRun("#book/other", run);
  expect((await findSweepRuns(runs, elsewhere, { records, claim })).size).toBe(0);
  const taken = await findSweepRuns(runs, placeOf, { records, claim: async () => null });
  const other = taken.get(runs[1]!.key);
  expect(other && "takeUp" in other && (await other.takeUp())).toBeNull();
});
