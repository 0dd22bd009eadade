import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { allFindings, evidenceSeries, LogDoctor } from "../../src/reading/diagnosis.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { diagnose } from "../../src/train/doctor/doctor.ts";
import { BAD_FROM, sickEvents } from "../fixtures/sickRun.ts";

const logOf = (events: readonly RunEvent[]) => {
  const log = new RunLog();
  for (const event of events) log.append(event);
  return log;
};
const sorted = (list: readonly { detector: string; algorithm: string }[]) =>
  list.toSorted((a, b) =>
    `${a.algorithm} ${a.detector}` < `${b.algorithm} ${b.detector}` ? -1 : 1,
  );

describe("the doctor over a log", () => {
  it.each([
    ["a sick run", sickEvents()],
    ["a sound one", sickEvents(false)],
    ["one with a crash", sickEvents(true, 7)],
  ])("says of %s what it says of its events", (_, events) => {
    const doctor = new LogDoctor(logOf(events));
    expect(doctor.advance(Infinity)).toBe(true);
    const { findings, notMeasured } = diagnose(events);
    expect(sorted(doctor.diagnosis.findings)).toEqual(sorted(findings));
    expect(sorted(doctor.diagnosis.notMeasured)).toEqual(sorted(notMeasured));
  });

  it("finds what is sick in it", () => {
    const doctor = new LogDoctor(logOf(sickEvents()));
    doctor.advance(Infinity);
    expect(doctor.diagnosis.findings).toMatchObject([
      { detector: "entropy-blow-up", algorithm: "turn-ppo", firstBad: BAD_FROM },
    ]);
  });

  it("goes on where it stopped, in pieces and as the log grows", () => {
    const events = sickEvents(true, 7);
    const log = logOf(events.slice(0, 30));
    const doctor = new LogDoctor(log);
    let clock = 0;
    const tick = () => (clock += 1);
    let pieces = 1;
    while (!doctor.advance(clock + 3, tick)) pieces++;
    expect(pieces).toBeGreaterThan(5);
    expect(doctor.diagnosis.findings.length).toBeLessThan(2);
    for (const event of events.slice(30)) log.append(event);
    doctor.advance(Infinity);
    expect(sorted(doctor.diagnosis.findings)).toEqual(sorted(diagnose(events).findings));
  });

  it("does not repeat what the run has found itself", () => {
    const events = sickEvents();
    const { findings } = diagnose(events);
    const log = logOf(events);
    expect(allFindings(log, findings)).toEqual(findings);
    log.append({ type: "finding", ...findings[0]!, chain: "", time: { at: "" } });
    expect(allFindings(log, findings)).toHaveLength(1);
    expect(allFindings(log, findings)[0]).toHaveProperty("type", "finding");
  });

  it("finds the numbers behind its evidence, by name or by pattern", () => {
    const log = logOf(sickEvents());
    expect(evidenceSeries(log, "turn-ppo", "actor/entropy")?.y[BAD_FROM - 1]).toBe(2.5);
    expect(evidenceSeries(log, "turn-ppo", "val-env/*/success")?.x[0]).toBe(0);
    expect(evidenceSeries(log, "turn-ppo", "no/such")).toBeNull();
  });
});
