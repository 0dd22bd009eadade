/** A grid over fields and seeds of an experiment. `plan.ts` makes its runs. */
import { CAUSE_NAMES } from "../../../reading/story/causeNames.ts";
import { z } from "../../../spec/zod.ts";
import { flatFields } from "../../body.ts";
import { metrics, words } from "../fields.ts";
import type { CellKind } from "../kind.ts";

/** Limit of runs of one sweep: they train one after the other, in a page. */
const MOST_RUNS = 24;

/** Values to try, by field as named in links; fields of a group may be nested under its name. */
const over = z._default(
  z.pipe(
    z.record(z.string(), z.unknown()),
    z.transform((fields) =>
      flatFields(fields).map(([name, values]): [string, string[]] => [
        name,
        values.split(",").map((one) => one.trim()),
      ]),
    ),
  ),
  [],
);

const seed = z.int().check(z.gte(0), z.lte(2 ** 32 - 1));

const schema = z
  .object({
    over,
    /** Absent: the experiment's own. */
    seeds: z.optional(
      z.pipe(
        z.pipe(
          words,
          z.transform((list) => list.map(Number)),
        ),
        z.array(seed).check(z.minLength(1)),
      ),
    ),
    metrics,
    /** The cause that its two settings test, as a story names it. */
    cause: z.optional(z.enum(CAUSE_NAMES)),
  })
  .check(
    z.superRefine(({ over: fields, seeds = [] }, context) => {
      const refuse = (path: string, message: string) =>
        context.addIssue({ code: "custom", path: [path], message });
      const settings = fields.reduce((product, [, values]) => product * values.length, 1);
      const runs = settings * Math.max(1, seeds.length);
      if (runs > MOST_RUNS)
        refuse("over", `must make at most ${MOST_RUNS} runs with the seeds; it makes ${runs}`);
      const empty = fields.find(([, values]) => values.some((one) => one === ""));
      if (empty) refuse("over", `must give ${empty[0]} a list of values`);
      const twice = seeds.find((one, i) => seeds.indexOf(one) !== i);
      if (twice !== undefined) refuse("seeds", `must list each seed once; ${twice} is there twice`);
    }),
  );

export const sweepKind = {
  title: "Sweep",
  shows: true,
  blank: "over:\n  optimisation.actorLr: [3e-4, 1e-3]\nseeds: [1, 2]\nmetrics: [reward, heldout]",
  schema,
  starts: true,
  keepsBeside: true,
  names: "definitions",
} satisfies CellKind;
