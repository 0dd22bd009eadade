/** What the clicks of a recorded trip earned, and what each method credits them. */
import { greatest } from "../../numeric/lists.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { episodeCredit, type CreditPlace } from "../credit/episodeCredit.ts";
import type { RunLog } from "../log/runLog.ts";
import { OPENING_METHODS } from "../openingMethods.ts";
import { otherPolicy, truthAt, type EpisodeTruth, type Truths } from "../truths.ts";

export interface TripCredit {
  record: EpisodeRecord;
  /** Indices of all attempts at its goal, itself among them. */
  group: number[];
  /** Of those methods whose numbers are known, click by click. */
  credits: { name: string; values: number[] }[];
  /** Null if it is not known. */
  truth: EpisodeTruth | null;
  /** As `otherPolicy`: whose truth it is, if not of the policy that played. */
  other: number | null;
}

/** Null if there is no such episode. */
export function tripCredit(log: RunLog, truths: Truths, at: CreditPlace): TripCredit | null {
  const { algorithm, iteration, episodes, episode } = at;
  const record = episodes[episode];
  if (!record) return null;
  const { trajectory, turns } = record;
  const truth = truthAt(truths, { algorithm, iteration, trajectory, turns: turns.length });
  return {
    record,
    group: episodes.flatMap(({ task }, i) => (task === record.task ? [i] : [])),
    credits: OPENING_METHODS.flatMap((name) => {
      const own = episodeCredit(log, name, at);
      return own ? [{ name, values: own.turns }] : [];
    }),
    truth,
    other: otherPolicy(truth, iteration),
  };
}

/** The fewest turns that leave something to guess. */
const LEAST = 4;

/**
 * The trip to begin with: of those that bought the right product and whose true credit is known, one whose best click
 * the most methods miss; among these the one where it stands out most. Null for none.
 */
export function tellingTrip(
  log: RunLog,
  truths: Truths,
  at: Omit<CreditPlace, "episode">,
): number | null {
  const found = at.episodes.flatMap((record, episode) => {
    if (record.success !== true || record.turns.length < LEAST) return [];
    const { truth, credits } = tripCredit(log, truths, { ...at, episode })!;
    if (!truth) return [];
    const earned = truth.turns.map(({ advantage }) => advantage);
    const [best, next = 0] = earned.toSorted((a, b) => b - a);
    const turn = earned.indexOf(best!);
    const missed = credits.filter(({ values }) => isElsewhere(values, turn)).length;
    return [{ episode, missed, lead: best! - next }];
  });
  const [first] = found.toSorted((a, b) => b.missed - a.missed || b.lead - a.lead);
  return first?.episode ?? null;
}

/** Whether another turn has the most credit, or all have the same. */
export function isElsewhere(credits: readonly number[], turn: number): boolean {
  const most = greatest(credits);
  return credits.indexOf(most) !== turn || credits.every((credit) => credit === most);
}
