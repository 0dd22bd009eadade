/** Every contender and workload in one Chromium, one after the other, each in a fresh page. */
import { openBench, type Bench } from "./browser.ts";
import { startConditions, type Conditions } from "./conditions.ts";
import { CONTENDERS, type ContenderName, type Family } from "./contender.ts";
import { median, type Cell } from "./measure.ts";
import { effortOf, type BenchOptions } from "./options.ts";
import type { Answer, Job, Machine } from "./page/protocol.ts";
import { agreementOf, referenceOf, type Agreement, type Reference } from "./reference.ts";
import { reportBrowser } from "./report.ts";
import type { Workload } from "./workload.ts";

export interface Measurement {
  contender: ContenderName;
  workload: Workload;
  /** Absent where the contender failed. */
  cell?: Cell;
  agreement?: Agreement;
  error?: string;
}

export interface BrowserRun {
  conditions: Conditions;
  chromium: string;
  machine: Machine;
  /** FLOP per second of our bare product, by backend; the faster of before and after. */
  rates: Partial<Record<Family, number>>;
  measurements: Measurement[];
}

export async function runInBrowser(options: BenchOptions, root: string) {
  const finish = startConditions();
  const references = new Map<Workload, Reference>();
  for (const workload of options.workloads) references.set(workload, await referenceOf(workload));
  const bench = await openBench(root);
  try {
    const { machine } = await ask(bench, { kind: "machine" }, "machine");
    const early = await measureRates(bench, options);
    const measurements: Measurement[] = [];
    for (const [workload, reference] of references)
      measurements.push(...(await measureWorkload(bench, workload, reference, options)));
    const rates = fastest(early, await measureRates(bench, options));
    const run: BrowserRun = {
      ...{ conditions: finish(), chromium: bench.version, machine, rates, measurements },
    };
    const ok = measurements.every(({ agreement }) => agreement?.ok);
    return { markdown: reportBrowser(run), data: run, ok };
  } finally {
    await bench.close();
  }
}

/** What others run on the machine can only slow it: the faster of two measurements is nearer to the limit. */
function fastest(one: BrowserRun["rates"], other: BrowserRun["rates"]): BrowserRun["rates"] {
  const rates = { ...one };
  for (const [family, rate] of Object.entries(other) as [Family, number][])
    rates[family] = Math.max(rate, rates[family] ?? 0);
  return rates;
}

async function measureRates(bench: Bench, { only }: BenchOptions): Promise<BrowserRun["rates"]> {
  const rates: BrowserRun["rates"] = {};
  const families = new Set(only.map((name) => CONTENDERS[name].family));
  for (const backend of families) {
    rates[backend] = (await ask(bench, { kind: "rate", backend }, "rate")).rate;
    console.error(`bare product on ${backend}: ${(rates[backend] / 1e9).toFixed(1)} GFLOP/s`);
  }
  return rates;
}

async function measureWorkload(
  bench: Bench,
  workload: Workload,
  reference: Reference,
  options: BenchOptions,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const contender of options.only) {
    const effort = effortOf(options);
    const answer = await bench.run({ kind: "cell", contender, workload, effort });
    const measurement: Measurement = { contender, workload };
    if (answer.kind === "cell") {
      measurement.cell = answer.cell;
      measurement.agreement = agreementOf(answer.cell, reference);
    } else measurement.error = errorOf(answer);
    console.error(progressOf(measurement));
    measurements.push(measurement);
  }
  return measurements;
}

function progressOf({ contender, workload, cell, agreement, error }: Measurement): string {
  const name = `${workload} ${contender}`;
  if (!cell) return `${name}: FAILED: ${error}`;
  const verdict = agreement?.ok ? "agrees" : "DISAGREES";
  return `${name}: ${median(cell.wall).toFixed(2)} ms (n=${cell.wall.length}), ${verdict}: ${agreement?.words}`;
}

const errorOf = (answer: Answer) =>
  answer.kind === "error" ? answer.message : `unexpected answer ${answer.kind}`;

async function ask<K extends Answer["kind"]>(bench: Bench, job: Job, kind: K) {
  const answer = await bench.run(job);
  if (answer.kind === kind) return answer as Extract<Answer, { kind: K }>;
  throw new Error(`the page could not do "${job.kind}": ${errorOf(answer)}`);
}
