/** A number of a formula, and its origin. */
import { formatNumber } from "../../numeric/format.ts";
import type { Binding } from "../../method/formula/vocabulary.ts";
import type { BatchPlace } from "./place.ts";
import { words } from "./words.ts";

export interface Known {
  /** Null if it is not recorded, not computed here, or not a number, such as a fork's ratio. */
  value: number | null;
  /** Its origin, in words. */
  from: string;
  /** Cells of the tables below the formula that it came from. */
  cells: readonly string[];
}

export type Find = (place: BatchPlace) => Known;

export type Finders = Partial<Record<Binding, Find>>;

export function known(
  value: number | null | undefined,
  from: string,
  cells: readonly string[] | string = [],
): Known {
  if (typeof cells === "string") return known(value, from, [cells]);
  return { value: Number.isNaN(value) ? null : (value ?? null), from, cells };
}

/** A number that only the logs of some methods have. */
export function recorded(value: number | undefined, from: string): Known {
  return Number.isFinite(value) ? known(value, from) : known(null, words.from.notRecorded);
}

/** Cells: of a turn, of a token, of an episode of the group. */
export const turnCell = (binding: Binding, { b }: BatchPlace, h: number) => `${binding}@${b}.${h}`;
export const tokenCell = (binding: Binding, { b, h }: BatchPlace, t: number) =>
  `${binding}@${b}.${h}.${t}`;
export const episodeCell = (b: number) => `trajectory.score@${b}`;

/** Origin of a reward: the KL to the reference may have been subtracted from it. */
export function ofReward(find: (text: string) => Find): Find {
  const [plain, less] = [find(words.from.paid), find(words.from.paidLessKl)];
  return (place) => (place.all.config.betaKlReward === 0 ? plain : less)(place);
}

/** In the page's usual format; counts without decimals. */
export function brief(value: number): string {
  const isCount = Number.isInteger(value) && value >= 0 && value < 1e6;
  return isCount ? String(value) : formatNumber(value);
}
