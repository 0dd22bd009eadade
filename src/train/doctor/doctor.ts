/**
 * The collapse doctor: reads a run's events, live or from any log, and reports what is going wrong.
 * Pure: the same events in the same order give the same findings, one by one or all at once. Each
 * detector reports once per algorithm.
 */
import { z } from "../../spec/zod.ts";
import { greatest } from "../../numeric/lists.ts";
import type { CrashEvent, Evidence, Finding, RunEvent } from "../../record/runEvent.ts";
import { asRead } from "./cutOff.ts";
import { DETECTORS, type Detector, type DetectorName } from "./detectors.ts";
import { holds, ruleMatches, type DoctorRule } from "./rule.ts";
import { appendPoint, type KeptSeries } from "./series.ts";

const points = z.array(z.object({ iteration: z.number(), value: z.number() }));
const names = DETECTORS.map(({ name }) => name);

/** The doctor's state for one algorithm: series by a rule's metric, and the detectors that have reported. */
const chart = z.object({
  series: z.record(z.string(), z.object({ head: points, tail: points })),
  found: z.array(z.enum(names)),
});
type Chart = z.infer<typeof chart>;

/** By algorithm; plain data for checkpoints. */
export const doctorState = z.record(z.string(), chart);
export type DoctorState = z.infer<typeof doctorState>;

export interface Diagnosis {
  findings: Finding[];
  /** Detectors without data, and the metrics any of which would have been enough. */
  notMeasured: { detector: DetectorName; algorithm: string; needs: string[] }[];
}

const RULES = DETECTORS.flatMap(({ signs }) =>
  signs.flatMap(({ rules, unless = [] }) => [...rules, ...unless]),
);
const WATCHED = [...new Set(RULES.map(({ metric }) => metric))];

export class Doctor {
  #charts: DoctorState;

  constructor(state: DoctorState = {}) {
    this.#charts = structuredClone(state);
  }

  /** For continuing later from here. */
  get state(): DoctorState {
    return structuredClone(this.#charts);
  }

  /** The findings that this event causes. Events without an algorithm's metrics cause none. */
  observe(event: RunEvent): Finding[] {
    if (event.type === "crash")
      return this.#judge(event.algorithm, event.iteration, crashed(event));
    if (event.type !== "iteration" && event.type !== "eval") return [];
    const chart = this.#chartOf(event.algorithm);
    let broken: Evidence[] = [];
    for (const [name, value] of Object.entries(event.metrics)) {
      if (value === null) broken = [...broken, notFinite(name)];
      else note(chart, name, { iteration: event.iteration, value });
    }
    return this.#judge(event.algorithm, event.iteration, broken);
  }

  /** Detectors that have had no data so far. */
  get notMeasured(): Diagnosis["notMeasured"] {
    return Object.entries(this.#charts).flatMap(([algorithm, { series }]) =>
      DETECTORS.filter((detector) => !measured(detector, series)).map((detector) => ({
        detector: detector.name,
        algorithm,
        needs: [...new Set(detector.signs.flatMap(({ rules }) => rules.map((r) => r.metric)))],
      })),
    );
  }

  #chartOf(algorithm: string): Chart {
    // Own properties only: an imported log may use any algorithm name.
    if (!Object.hasOwn(this.#charts, algorithm))
      Object.defineProperty(this.#charts, algorithm, {
        value: { series: {}, found: [] },
        enumerable: true,
        configurable: true,
        writable: true,
      });
    return this.#charts[algorithm]!;
  }

  #judge(algorithm: string, iteration: number, broken: Evidence[]): Finding[] {
    const chart = this.#chartOf(algorithm);
    return DETECTORS.filter(({ name }) => !chart.found.includes(name)).flatMap((detector) => {
      const sign =
        detector.name === "not-finite"
          ? broken.length > 0 && { since: iteration, evidence: broken }
          : signOf(detector, chart.series);
      if (!sign) return [];
      chart.found.push(detector.name);
      return [findingOf(detector, algorithm, iteration, sign)];
    });
  }
}

/** All findings of a whole log. */
export function diagnose(events: Iterable<RunEvent>): Diagnosis {
  const doctor = new Doctor();
  const findings = [...asRead(events)].flatMap((event) => doctor.observe(event));
  return { findings, notMeasured: doctor.notMeasured };
}

function note({ series }: Chart, name: string, point: { iteration: number; value: number }): void {
  for (const metric of WATCHED)
    if (ruleMatches(metric, name)) appendPoint((series[metric] ??= { head: [], tail: [] }), point);
}

function measured({ name, signs }: Detector, series: Record<string, KeptSeries>): boolean {
  if (name === "not-finite") return true;
  return signs.some(({ rules }) => rules.every(({ metric }) => metric in series));
}

interface Sign {
  /** First bad iteration: every rule of the sign has held since. */
  since: number;
  evidence: Evidence[];
}

/** A detector's first sign whose rules all hold, null without one. */
function signOf({ signs }: Detector, series: Record<string, KeptSeries>): Sign | null {
  const seen = (rule: DoctorRule) =>
    series[rule.metric] ? holds(rule, series[rule.metric]!) : null;
  for (const { rules, unless = [] } of signs) {
    const held = rules.flatMap((rule) => seen(rule) ?? []);
    if (held.length < rules.length || unless.some((rule) => seen(rule) !== null)) continue;
    const since = greatest(held.map(({ since }) => since));
    return { since, evidence: held.map(({ evidence }) => evidence) };
  }
  return null;
}

function findingOf(
  { name, title, severity, says, cause, remedies }: Detector,
  algorithm: string,
  iteration: number,
  { since, evidence }: Sign,
): Finding {
  return {
    detector: name,
    title,
    severity,
    algorithm,
    iteration,
    firstBad: since,
    says,
    evidence,
    cause,
    remedies: [...remedies],
  };
}

function notFinite(metric: string): Evidence {
  return { metric, value: null, side: "above", limit: null, base: null, measurements: 1 };
}

/** A crash event describes the number that was not finite. */
function crashed({ cause }: CrashEvent): Evidence[] {
  return [notFinite(cause)];
}
