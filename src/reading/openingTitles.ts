/** Titles of the methods in the opening figure. */
import { OPENING_METHODS } from "./openingMethods.ts";
import { titleOf } from "./titles.ts";

export const openingTitles: Readonly<Record<string, string>> = Object.fromEntries(
  OPENING_METHODS.map((name) => [name, titleOf(name)]),
);
