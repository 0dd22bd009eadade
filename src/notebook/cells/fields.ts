/** Fields that the bodies of several kinds of cells have. */
import { z } from "zod";
import { TURN_PLACE } from "../../spec/turnPlace.ts";

export const line = z.string().max(2000);
export const text = z.string().max(20_000);
/** For a list; YAML reads some items as numbers. */
export const option = z.union([z.string(), z.number()]).transform(String);

export const word = z
  .string()
  .regex(/^[a-zA-Z][\w-]{0,63}$/, "must be one word of letters and digits");

/** A list, or words separated by commas. */
export const words = z
  .union([z.array(z.union([z.string(), z.number()])), z.string(), z.number()])
  .transform((value) => (Array.isArray(value) ? value : String(value).split(",")))
  .transform((list) => list.map((item) => String(item).trim()).filter((item) => item !== ""))
  .pipe(z.array(z.string().max(128)).max(50));

/** Metric names are checked where metrics are drawn. */
export const metrics = words.optional();

/** As in links. */
export const turnPlace = z
  .string()
  .regex(TURN_PLACE, "must be as a link has it, method, iteration, episode, turn: turn-ppo,26,7,3");
