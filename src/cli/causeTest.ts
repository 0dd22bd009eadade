/** `explain PATH --test CAUSE --out DIR`: runs the experiment that a cause proposes, as a sweep of two settings, and says whether the cause stands. */
import { join } from "node:path";
import { InputError, show } from "../numeric/inputError.ts";
import { testSeeds, testSpec } from "../reading/story/proposal.ts";
import { settleCause, type TestedSeed } from "../reading/story/settle.ts";
import type { Story } from "../reading/story/story.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { outFolder, type Args } from "./args.ts";
import type { Output } from "./command.ts";
import { keepSame } from "./sweep/keepSame.ts";
import { readResult } from "./sweep/results.ts";
import { summariseRuns, type SummaryRow } from "./sweep/summary.ts";
import { sweepCommand } from "./sweep/sweep.ts";
import { planSweep } from "./sweep/sweepFile.ts";

export const TEST_OPTIONS = {
  test: { type: "string" },
  out: { type: "string" },
  seeds: { type: "integer", min: 2, max: 100 },
  iterations: { type: "integer", min: 1, max: 100_000 },
  jobs: { type: "integer", min: 1, max: 64 },
} as const;

const [AS_IS, CHANGED] = ["as-is", "changed"] as const;

/** Resumable: the same command continues in DIR. Prints one JSON line; exit code 1 if a run failed. */
export async function testCause(
  stories: readonly Story[],
  spec: ExperimentSpec | undefined,
  args: Args,
  out: Output,
): Promise<number> {
  const { algorithm, cause, set } = proposed(stories, args.string("test")!);
  const folder = outFolder(args);
  if (folder === undefined) throw new InputError("--test needs --out DIR, where its runs are kept");
  if (!spec) throw new InputError("--test needs the run's settings, which this log does not have");
  const base = testSpec(spec, algorithm, args.number("iterations"));
  const sweep = {
    base,
    variants: [{ name: AS_IS }, { name: CHANGED, changes: set }],
    seeds: testSeeds(spec, args.number("seeds")),
  };
  const file = join(folder, "test.json");
  keepSame(file, `${JSON.stringify(sweep, null, 1)}\n`);
  const jobs = args.number("jobs");
  const words = [file, "--out", folder, ...(jobs === undefined ? [] : ["--jobs", String(jobs)])];
  const code = await sweepCommand(words, { ...out, json: () => {} });
  const plan = planSweep(sweep);
  const { rows } = summariseRuns(
    plan.runs.map((run) => readResult(folder, run)),
    plan.measures,
  );
  const scores = (setting: string) => rows.find((row) => row.setting === setting)?.scores ?? [];
  const pairs = pairsOf(scores(AS_IS), scores(CHANGED));
  if (pairs.length === 0) throw new InputError(`no seed of ${file} has ended in both settings`);
  const measure = plan.measures[0];
  const { iterations } = base.optimisation;
  out.json({ algorithm, cause, set, iterations, measure, ...settleCause(pairs) });
  return code ?? 0;
}

function proposed(stories: readonly Story[], wanted: string) {
  const tests = stories.flatMap(({ algorithm, causes }) =>
    causes.flatMap(({ cause, test }) => (test ? [{ algorithm, cause, set: test.set }] : [])),
  );
  const found = tests.find(({ cause }) => cause === wanted);
  if (found) return found;
  const names = [...new Set(tests.map(({ cause }) => cause))].join(", ");
  throw new InputError(`--test is ${show(wanted)}; causes with a test here: ${names || "none"}`);
}

function pairsOf(asIs: SummaryRow["scores"], changed: SummaryRow["scores"]): TestedSeed[] {
  return asIs.flatMap(({ seed, first, last }) => {
    const other = changed.find((one) => one.seed === seed)?.last ?? null;
    return first === null || last === null || other === null
      ? []
      : [{ first, asIs: last, changed: other }];
  });
}
