/**
 * A sweep: many specs and seeds in one JSON file. `variants` are named changes of one base; `grid`
 * or `draws` try values of fields in each of them, named as in links (optimisation.actorLr,
 * grpo.epsHigh). Every variant gets the same values.
 */
import { z } from "../../spec/zod.ts";
import { exp, log } from "../../numeric/deterministic.ts";
import { uniform } from "../../numeric/rng.ts";
import { significant } from "../../numeric/significant.ts";
import { canonicalJson } from "../../spec/canonical.ts";
import { mergeSpec, validateSpec, type ExperimentSpec } from "../../spec/experiment.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { changedSpec } from "../../spec/specChanges.ts";
import { toSpec } from "../../spec/presets.ts";
import { drawnOver, fieldValue as value, type DrawnFrom } from "../../spec/drawnOver.ts";
import {
  checkSeeds,
  gridTrials,
  overSeeds,
  type FieldValue,
  type Trial,
} from "../../spec/sweepGrid.ts";

const part = z.record(z.string(), z.unknown());
const changes = z.optional(z.record(z.string(), value));
const schema = z.strictObject({
  /** In the form of `train`. */
  base: z._default(part, {}),
  /** `set`: in the form of a spec; `changes`: fields by their names in links. */
  variants: z._default(
    z.array(z.strictObject({ name: z.string(), set: z.optional(part), changes })),
    [],
  ),
  /** All combinations of these values. */
  grid: z.optional(z.record(z.string(), z.array(value).check(z.minLength(1)))),
  /** This many random combinations. */
  draws: z.optional(
    z.strictObject({
      count: z.int().check(z.gte(1), z.lte(10_000)),
      seed: z._default(z.int().check(z.gte(0)), 0),
      over: drawnOver,
    }),
  ),
  seeds: z.array(z.int().check(z.gte(0))).check(z.minLength(1), z.maxLength(1000)),
  /**
   * Scores to summarise, named as in the log's evaluations; the first one ranks. Absent: success.
   */
  measures: z.optional(z.array(z.string()).check(z.minLength(1))),
});

export type SweepFile = z.infer<typeof schema>;
type SweepDraws = NonNullable<SweepFile["draws"]>;

export interface PlannedRun {
  /** Folder of the run: setting and seed. */
  name: string;
  /** Runs of one setting differ only in their seed. */
  setting: string;
  seed: number;
  spec: ExperimentSpec;
  /** The values of grid or draws. */
  changes: Record<string, string>;
}

export interface Sweep {
  runs: PlannedRun[];
  measures: string[];
}

/** @throws InputError naming field, value and what is allowed. */
export function planSweep(input: unknown): Sweep {
  const file = checkedSweep(input);
  const base = toSpec(file.base);
  const named: SweepFile["variants"] =
    file.variants.length > 0 ? file.variants : [{ name: "base" }];
  const settings = named.flatMap(({ name, set = {}, changes = {} }) => {
    const variant = within(`variant ${name}`, () =>
      changedSpec(validateSpec(mergeSpec(base, set)), asChanges(changes)),
    );
    return trialsOf(file).map((trial) => ({
      setting: folderName(`${name}${trial.name}`),
      spec: within(`variant ${name}`, () => changedSpec(variant, trial.changes)),
      changes: Object.fromEntries(trial.changes),
    }));
  });
  checkNames(settings.map(({ setting }) => setting));
  const runs = settings.flatMap(({ setting, spec, changes }) =>
    overSeeds(spec, file.seeds).map((one) => ({
      name: `${setting}-seed${one.seed}`,
      setting,
      changes,
      ...one,
    })),
  );
  const kind = base.environment.kind;
  return { runs, measures: file.measures ?? [`val-env/${kind}/success`] };
}

function checkedSweep(input: unknown): SweepFile {
  const read = schema.safeParse(input);
  if (!read.success) {
    const { path, message } = read.error.issues[0]!;
    const found = path.reduce<unknown>((node, key) => Object(node)[key] as unknown, input);
    throw new InputError(`the sweep's ${path.join(".") || "file"} is ${show(found)}: ${message}`);
  }
  const { grid, draws, seeds } = read.data;
  if (grid && draws) throw new InputError("a sweep has grid or draws, not both");
  checkSeeds(seeds, "the sweep's seeds");
  return read.data;
}

function asChanges(changes: Record<string, z.infer<typeof value>>): FieldValue[] {
  return Object.entries(changes).map(([field, to]) => [field, String(to)]);
}

function trialsOf({ grid, draws }: SweepFile): Trial[] {
  if (grid) return gridTrials(Object.entries(grid));
  if (!draws) return [{ name: "", changes: [] }];
  const digits = String(draws.count).length;
  return drawnChanges(draws).map((changes, i) => ({
    name: `-draw${String(i + 1).padStart(digits, "0")}`,
    changes,
  }));
}

/** Random values of each field, for each draw. [count] */
export function drawnChanges({ count, seed, over }: SweepDraws): FieldValue[][] {
  return Array.from({ length: count }, (_, i) =>
    Object.entries(over).map(([field, values], f): FieldValue => {
      const key = { seed, stream: "sweep", iteration: i, trajectory: f, step: 0 };
      return [field, String(drawn(values, uniform(key)))];
    }),
  );
}

/** u in [0, 1). */
function drawn(values: DrawnFrom, u: number): number | string | boolean {
  if (Array.isArray(values)) return values[Math.floor(u * values.length)]!;
  if ("linear" in values) {
    const [low, high] = values.linear;
    return significant(low + u * (high - low), 3);
  }
  const [low, high] = values.log;
  if (!(low > 0 && high > 0))
    throw new InputError(`a range of log is ${show(values.log)}; it must be above 0`);
  return significant(exp(log(low) + u * (log(high) - log(low))), 3);
}

/** Characters allowed in a folder's name everywhere. */
function folderName(text: string): string {
  return text.replace(/[^\w.=,+-]/g, "_");
}

function checkNames(names: string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new InputError(`the sweep has two settings named ${twice}`);
}

function within<T>(place: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${place}: ${error.message}`);
    throw error;
  }
}

/** Whether a log's spec matches a planned run; the log names the engine that ran. */
export function isSpecOf(run: PlannedRun, logged: ExperimentSpec): boolean {
  const plain = ({ engine: _, ...rest }: ExperimentSpec) => canonicalJson(rest);
  return plain(run.spec) === plain(logged);
}
