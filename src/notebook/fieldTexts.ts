/** Texts in the fields of cells, as several kinds of cells have them. */
import { z } from "zod";

export const line = z.string().max(2000);
export const text = z.string().max(20_000);
/** Of a list; YAML reads some as numbers. */
export const option = z.union([z.string(), z.number()]).transform(String);
