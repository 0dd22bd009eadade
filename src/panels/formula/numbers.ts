/** The number behind any term of a formula, at a place of a recorded run. */
import type { Binding } from "../../method/formula/vocabulary.ts";
import { groupNumbers } from "./groupNumbers.ts";
import { known, type Known } from "./known.ts";
import { tracedAt, type BatchPlace } from "./place.ts";
import { tokenNumbers } from "./tokenNumbers.ts";
import { turnNumbers } from "./turnNumbers.ts";
import { words } from "./words.ts";

/** A term that no finder knows is the estimator's own intermediate, a setting, or not recorded. */
export function findNumber(binding: Binding, place: BatchPlace): Known {
  const find = tokenNumbers[binding] ?? turnNumbers[binding] ?? groupNumbers[binding];
  if (find) return find(place);
  if (place.all.trace[binding]) return known(tracedAt(binding, place), words.from.computed);
  const [level, key] = binding.split(".") as [string, keyof typeof place.all.config];
  if (level !== "settings") return known(null, words.from.notRecorded);
  const value = place.all.config[key];
  return known(typeof value === "number" ? value : null, words.from.setting(key));
}

export function numberAt(binding: Binding, place: BatchPlace): number | null {
  return findNumber(binding, place).value;
}
