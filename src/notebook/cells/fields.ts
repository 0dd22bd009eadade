/** Fields that the bodies of several kinds of cells have. */
import { z } from "../../spec/zod.ts";
import { TURN_PLACE } from "../../spec/turnPlace.ts";

export const line = z.string().check(z.maxLength(2000));
export const text = z.string().check(z.maxLength(20_000));
/** For a list; YAML reads some items as numbers. */
export const option = z.pipe(z.union([z.string(), z.number()]), z.transform(String));

export const word = z
  .string()
  .check(z.regex(/^[a-zA-Z][\w-]{0,63}$/, "must be one word of letters and digits"));

/** A list, or words separated by commas. */
export const words = z.pipe(
  z.union([z.array(z.union([z.string(), z.number()])), z.string(), z.number()]),
  z.pipe(
    z.transform((value: (string | number)[] | string | number) =>
      (Array.isArray(value) ? value : String(value).split(","))
        .map((item) => String(item).trim())
        .filter((item) => item !== ""),
    ),
    z.array(z.string().check(z.maxLength(128))).check(z.maxLength(50)),
  ),
);

/** Metric names are checked where metrics are drawn. */
export const metrics = z.optional(words);

/** As in links. */
export const turnPlace = z
  .string()
  .check(
    z.regex(
      TURN_PLACE,
      "must be as a link has it, method, iteration, episode, turn: turn-ppo,26,7,3",
    ),
  );
