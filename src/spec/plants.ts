/** Plants: numbers of a run that change at some iteration for every method, to see what follows. */
import { InputError, show } from "../numeric/inputError.ts";
import { criticSchema, optimisation, sampling } from "./learning.ts";
import { limitsIn, unwrapped } from "./schemaPaths.ts";
import type { Schedule } from "./scheduleSchema.ts";
import { whole, z } from "./zod.ts";

const GROUPS = { optimisation, critic: criticSchema, sampling };

/** Every number of a group by its dotted path, except for the run's length. */
const numbers = Object.entries(GROUPS).flatMap(([group, { shape }]) =>
  Object.entries(shape).flatMap(
    ([field, schema]): [string, z.ZodMiniOptional<z.ZodMiniNumber>][] => {
      const number = unwrapped(schema);
      const path = `${group}.${field}`;
      if (limitsIn(number) === null || path === "optimisation.iterations") return [];
      return [[path, z.optional(number as z.ZodMiniNumber)]];
    },
  ),
);

const plant = z.strictObject({
  /** First iteration with the new numbers. */
  at: whole(1, 1_000_000),
  /** New numbers by dotted path, e.g. {"optimisation.actorLr": 0.01}. */
  set: z.strictObject(Object.fromEntries(numbers)),
});
export const plantsSchema = z.array(plant).check(z.minLength(1), z.maxLength(16));

/** Changes in the order in which they come into force; a later one replaces an earlier one's number. */
type Plants = readonly { at: number; set: Readonly<Record<string, number | undefined>> }[];

/** The parts of a spec that change during a run. */
export interface ChangesDuringRun {
  schedule?: Schedule | undefined;
  plants?: Plants | undefined;
}

type Planted = { [group in keyof typeof GROUPS]: object };

/** Every change during a run; a schedule is one plant. */
export function plantsOf({ schedule, plants = [] }: ChangesDuringRun): Plants {
  if (!schedule) return plants;
  const { from, criticLr, temperature, ...rates } = schedule;
  const optimisation = Object.entries(rates).map(([name, value]) => [
    `optimisation.${name}`,
    value,
  ]);
  const set = [...optimisation, ["critic.lr", criticLr], ["sampling.temperature", temperature]];
  const given = set.filter(([, value]) => value !== null);
  return [{ at: from, set: Object.fromEntries(given) }, ...plants];
}

/** The settings with the numbers of all plants up to an iteration. */
export function withPlants<T extends Planted>(spec: T, plants: Plants, iteration: number): T {
  return plants
    .filter(({ at }) => at <= iteration)
    .flatMap(({ set }) => Object.entries(set))
    .filter(([, value]) => value !== undefined)
    .reduce((planted, [path, value]) => {
      const [group, field] = path.split(".") as [keyof Planted, string];
      return { ...planted, [group]: { ...planted[group], [field]: value } };
    }, spec);
}

/** @throws InputError for a plant that sets nothing, or that comes into force before the one in front of it. */
export function checkPlants(plants: Plants = []): void {
  for (const [i, { at, set }] of plants.entries()) {
    if (Object.keys(set).length === 0)
      throw new InputError(`plants[${i}].set is {}; it must set at least one number`);
    const before = plants[i - 1]?.at ?? 1;
    if (at < before)
      throw new InputError(
        `plants[${i}].at is ${at}; it must be at least that of the plant before, ${before}`,
      );
  }
}

/** As links and commands write them: `8:optimisation.actorLr=0.01,critic.lr=0.5;12:sampling.topK=1`. */
export function plantsToText(plants: Plants): string {
  const one = ([path, value]: [string, number | undefined]) => `${path}=${value}`;
  return plants.map(({ at, set }) => `${at}:${Object.entries(set).map(one).join(",")}`).join(";");
}

/** The inverse, unchecked except for its form. @throws InputError naming the part that cannot be read. */
export function plantsFromText(text: string): Plants {
  return text.split(";").map((part) => {
    const [, at, list] = /^(\d+):(.+)$/.exec(part) ?? [];
    const set = list?.split(",").map((pair): [string, number] => {
      const [path, value, ...rest] = pair.split("=");
      return [path!, rest.length > 0 || !value ? NaN : Number(value)];
    });
    if (!set || set.some(([, value]) => Number.isNaN(value)))
      throw new InputError(
        `plants has ${show(part)}; it must be as 8:optimisation.actorLr=0.01,critic.lr=0.5`,
      );
    return { at: Number(at), set: Object.fromEntries(set) };
  });
}
