/** The episode of the opening page's figure: chosen by a rule from a recording, with all its data. */
import { greatest, least } from "../numeric/lists.ts";
import type { EpisodeRecord } from "../record/runEvent.ts";
import { firstLearned } from "../spec/schedule.ts";
import { episodeCredit } from "./credit/episodeCredit.ts";
import type { RunLog } from "./log/runLog.ts";
import { OPENING_TURNS, type Opening } from "./opening.ts";
import { OPENING_METHODS } from "./openingMethods.ts";
import { truthAt, type EpisodeTruth, type Truths } from "./truths.ts";

const { fewest: FEWEST, most: MOST } = OPENING_TURNS;

export const OPENING_RULE =
  `Of GRPO's solved episodes of ${FEWEST} to ${MOST} turns with known true values, whose group earned unequal rewards, played ` +
  "after the critics' warm-up, the one whose true credit differs most between turns.";

interface EpisodeCandidate {
  iteration: number;
  episode: number;
  record: EpisodeRecord;
  episodes: readonly EpisodeRecord[];
  truth: EpisodeTruth;
}

/** The figure of a recorded run with loaded episodes; null if no episode satisfies the rule. */
export function openingOf(
  log: RunLog,
  truths: Truths,
  about: Pick<Opening, "command" | "fingerprint">,
): Opening | null {
  const candidates = candidatesOf(log, truths).filter(hasCredits(log));
  const [best] = candidates.toSorted((a, b) => spreadOf(b) - spreadOf(a));
  if (!best) return null;
  const { iteration, episode, record, episodes, truth } = best;
  return {
    format: "turnbook-opening-1",
    ...about,
    rule: OPENING_RULE,
    candidates: candidates.length,
    at: { algorithm: OPENING_METHODS[0], iteration, episode },
    group: episodes.filter(({ task }) => task === record.task).length,
    reward: record.reward,
    turns: record.turns.map(({ observation, text, actions, reward }) => ({
      observation,
      text,
      actions: actions ?? [],
      reward,
    })),
    finalObservation: record.finalObservation,
    ...creditsAt(log, best),
    truth: {
      advantage: truth.turns.map(({ advantage }) => rounded(advantage)),
      low: truth.turns.map(({ advantageInterval: [low] }) => rounded(low)),
      high: truth.turns.map(({ advantageInterval: [, high] }) => rounded(high)),
      branches: truth.found?.branches ?? 0,
    },
  };
}

function candidatesOf(log: RunLog, truths: Truths): EpisodeCandidate[] {
  const [algorithm] = OPENING_METHODS;
  const first = log.start ? firstLearned(log.start.spec) : 0;
  const iterations = log.iterationsWithEpisodes(algorithm).filter((one) => one >= first);
  return iterations.flatMap((iteration) => {
    const episodes = log.episodes(algorithm, iteration);
    return episodes.flatMap((record, episode) => {
      const { trajectory, turns } = record;
      const truth = truthAt(truths, { algorithm, iteration, trajectory, turns: turns.length });
      const fits = turns.length >= FEWEST && turns.length <= MOST && record.success === true;
      const compared = episodes.some(
        (one) => one.task === record.task && one.reward !== record.reward,
      );
      return truth && fits && compared ? [{ iteration, episode, record, episodes, truth }] : [];
    });
  });
}

function spreadOf({ truth }: EpisodeCandidate): number {
  const all = truth.turns.map(({ advantage }) => advantage);
  return greatest(all) - least(all);
}

/** For the methods whose numbers are complete. */
function creditsAt(
  log: RunLog,
  { iteration, episode, episodes }: EpisodeCandidate,
): Required<Pick<Opening, "credits" | "tokenCredits">> {
  const at = { algorithm: OPENING_METHODS[0], iteration, episodes, episode };
  const found = OPENING_METHODS.flatMap((name) => {
    const own = episodeCredit(log, name, at);
    if (!own) return [];
    const { turns, tokens } = own;
    return [{ name, turns: turns.map(rounded), tokens: tokens.map((turn) => turn.map(rounded)) }];
  });
  const differing = found.filter(({ tokens }) => tokens.some((turn) => new Set(turn).size > 1));
  return {
    credits: Object.fromEntries(found.map(({ name, turns }) => [name, turns])),
    tokenCredits: Object.fromEntries(differing.map(({ name, tokens }) => [name, tokens])),
  };
}

function hasCredits(log: RunLog) {
  return (one: EpisodeCandidate) =>
    Object.keys(creditsAt(log, one).credits).length === OPENING_METHODS.length;
}

/** Enough digits for any figure. */
function rounded(value: number): number {
  return Number(value.toPrecision(5));
}
