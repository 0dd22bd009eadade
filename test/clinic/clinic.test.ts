import { describe, expect, it } from "vitest";
import { CAUSE_NAMES } from "../../src/reading/story/causeNames.ts";
import { specAt } from "../../src/spec/schedule.ts";
import { FAULTS, healthyPatient, patientOf, type FaultName } from "./faults.ts";
import { clinicTables, hitsOf, isHealthy, type Told } from "./score.ts";

const kinds = Object.keys(FAULTS) as FaultName[];

describe("what the clinic plants", () => {
  it("is kinds of known causes, all seen by now: a new one is not fitted until it has been told", () => {
    expect(kinds).toHaveLength(70);
    expect(kinds.filter((kind) => FAULTS[kind].fitted)).toHaveLength(70);
    for (const kind of kinds) expect(CAUSE_NAMES).toContain(FAULTS[kind].cause);
  });

  it.each(kinds)("%s: a valid run, its own for each seed, changed from its onset on", (kind) => {
    const patients = [1, 2, 3, 4].map((seed) => patientOf(kind, seed));
    expect(patients[0]).toEqual(patientOf(kind, 1));
    expect(
      new Set(patients.map(({ spec }) => JSON.stringify({ ...spec, seed: 0 }))).size,
    ).toBeGreaterThan(1);
    for (const { spec, onset, algorithm } of patients) {
      const [before, after] = [onset! - 1, onset!].map((n) => specAt(spec, algorithm, n));
      if (onset === 1) expect(spec.plants).toBeUndefined();
      else expect(before).not.toEqual(after);
    }
  });

  it("leaves forty runs healthy, of eight methods and three environments", () => {
    const specs = Array.from({ length: 40 }, (_, i) => healthyPatient(i, i).spec);
    expect(new Set(specs.map(({ environment }) => environment.kind)).size).toBe(3);
    expect(new Set(specs.map(({ algorithms }) => algorithms[0]!.name)).size).toBe(8);
    expect(specs.every(({ plants }) => plants === undefined)).toBe(true);
  });
});

const told = (changes: Partial<Told>): Told => ({
  ...{ kind: "cold", cause: "entropy-crash", onset: 8, algorithm: "turn-ppo", seed: 1 },
  ...{ plants: null, verdict: "fell", success: [], causes: [] },
  ...changes,
});
const cause = (name: Told["cause"] & string, onset: number) => ({ cause: name, onset, weight: 1 });

describe("the clinic's table", () => {
  it("counts causes told first, among the first two, and onsets within a fifth of a run", () => {
    const all = [
      told({ causes: [cause("entropy-crash", 12)] }),
      told({ causes: [cause("echo-trap", 8), cause("entropy-crash", 13)] }),
      told({ causes: [cause("echo-trap", 8), cause("low-signal", 8), cause("entropy-crash", 8)] }),
      told({}),
    ];
    expect(hitsOf(all)).toEqual({ runs: 4, first: 1, firstTwo: 2, onset: 2 });
  });

  it("counts alarms on runs that their held-out score calls healthy, and on no others", () => {
    const healthy = { kind: "healthy", cause: null, onset: null } as const;
    const alarm = [cause("low-signal", 3)];
    const fell = [0.5, 0.4, 0.2, 0.1];
    expect(isHealthy({ success: fell })).toBe(false);
    expect(isHealthy({ success: [0.5, 0.2, 0.5, 0.4] })).toBe(true);
    const text = clinicTables([
      told({ ...healthy, causes: alarm }),
      told({ ...healthy, causes: alarm, success: fell }),
      told(healthy),
    ]);
    expect(text).toContain("False alarms: 1 of 2 healthy runs (50 %): turn-ppo 1: low-signal.");
  });
});
