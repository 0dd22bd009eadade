import { describe, expect, it } from "vitest";
import { waitingFor } from "../../src/panels/shared/waiting.ts";
import { RunLog, noRun, viewOf } from "../../src/reading/log/runLog.ts";
import { LATEST } from "../../src/store/turnChoice.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRun } from "../fixtures/syntheticRun.ts";

const events = syntheticRun(shortRun());

function logUpTo(count: number): RunLog {
  const log = new RunLog();
  for (const event of events.slice(0, count)) log.append(event);
  return log;
}

const first = events.findIndex(({ type }) => type === "iteration") + 1;
const begun = logUpTo(first);
const [has] = begun.algorithms.filter((name) => begun.iterations(name).length > 0);
const lacks = begun.algorithms.filter((name) => name !== has);

describe("waiting for the first iteration", () => {
  it("names the method that has none while the run goes on", () => {
    const view = viewOf(begun, "live");
    for (const algorithm of lacks) {
      const choice = { ...LATEST, algorithm };
      expect(waitingFor({ state: "running", view, choice })).toMatch(/^Waiting .* of \S.* …$/);
      expect(waitingFor({ state: "finished", view, choice })).toBeNull();
    }
    expect(lacks.length).toBeGreaterThan(0);
    expect(
      waitingFor({ state: "running", view, choice: { ...LATEST, algorithm: has! } }),
    ).toBeNull();
  });

  it("is said before there is any number, but not of models that were only loaded", () => {
    const now = { view: noRun(), choice: LATEST };
    expect(waitingFor({ state: "loading", ...now })).toBe("Waiting for the first iteration …");
    expect(waitingFor({ state: "paused", ...now })).toBeNull();
    expect(waitingFor({ state: "idle", ...now })).toBeNull();
  });

  it("is not said of a recorded run that is still shown, nor of a method that crashed", () => {
    const choice = { ...LATEST, algorithm: lacks[0]! };
    expect(waitingFor({ state: "running", view: viewOf(begun, "recorded"), choice })).toBeNull();
    const crashed = logUpTo(first);
    const crash = { algorithm: lacks[0]!, iteration: 1, reason: "", chain: "", time: {} };
    crashed.append({ type: "crash", ...crash } as never);
    expect(waitingFor({ state: "running", view: viewOf(crashed, "live"), choice })).toBeNull();
  });
});
