/**
 * The cursor shared by all panels of a run: the selected turn, and the token in it. null means "the
 * first there is", so that a choice is never out of date.
 */
import type { EpisodeRecord } from "../record/runEvent.ts";
import { isAlgorithmName, resolveAlgorithm } from "../spec/algorithms.ts";
import { TURN_PLACE } from "../spec/turnPlace.ts";
import type { Fork } from "./forkTypes.ts";
import type { RunLog, RunView } from "../reading/log/runLog.ts";

export interface TurnChoice {
  algorithm: string | null;
  /** Null follows the newest iteration. */
  iteration: number | null;
  episode: number;
  turn: number;
  /** Null: the turn as a whole. */
  token: number | null;
  /** The fork whose episode replaces the one that it branched from; it is not in links. */
  fork?: Fork | null;
  /** Which of the fork's episodes; default: the first. */
  branch?: number;
}

/** The target of a key or button; the choice itself if there is nowhere to go. */
export type ChoiceMove = (log: RunLog, choice: TurnChoice) => TurnChoice;

/** The newest iteration of the preferred algorithm. */
export const LATEST: TurnChoice = {
  algorithm: null,
  iteration: null,
  episode: 0,
  turn: 0,
  token: null,
};

/**
 * The initial choice: an episode of at least two turns in a newest iteration, preferably one that
 * every method gives credit to because another rollout of its task had a different reward. The
 * preferred algorithm's come first. `LATEST` itself while there are no episodes; afterwards a
 * definite choice, so that the place stays.
 */
export function startChoice(log: RunLog): TurnChoice {
  const { episodes, algorithm: preferred } = resolveChoice(log, LATEST);
  if (episodes.length === 0) return LATEST;
  // Checking a method reads a line of the file: not for each of a run that has many.
  const isGrouped = (name: string) => playsGroups(log, name);
  const grouped = log.algorithms.find(isGrouped) ?? preferred;
  for (const algorithm of new Set([preferred, grouped])) {
    const own = resolveChoice(log, { ...LATEST, algorithm }).episodes;
    const episode = own.findIndex((one) => isLong(one) && isCompared(one, own));
    if (episode < 0) continue;
    return { ...LATEST, algorithm: algorithm === preferred ? null : algorithm, episode };
  }
  return { ...LATEST, episode: Math.max(0, episodes.findIndex(isLong)) };
}

/** Whether the method plays a task several times, according to the log. */
function playsGroups({ start }: RunLog, name: string): boolean {
  if (start?.spec.optimisation.grouping === "all") return true;
  return isAlgorithmName(name) && resolveAlgorithm(name).grouped;
}

function isLong({ turns }: EpisodeRecord): boolean {
  return turns.length > 1;
}

/** Whether another rollout of its task had a higher or lower reward. */
function isCompared({ task, reward }: EpisodeRecord, episodes: EpisodeList): boolean {
  const gap = (one: EpisodeRecord) => Math.abs(one.reward - reward);
  return episodes.some((one) => one.task === task && gap(one) > 0);
}

/** A valid choice: everything is in range for the run. */
export interface ResolvedChoice {
  algorithm: string;
  /** Iterations that can be shown. */
  iterations: number[];
  /** 0 if there is none. */
  iteration: number;
  follow: boolean;
  /** The recorded ones; with a fork, one of its episodes replaces the one it branched from. */
  episodes: readonly EpisodeRecord[];
  episode: number;
  turn: number;
  token: number | null;
  /** The fork whose episode the cursor is at; null: a recorded one. */
  fork: Fork | null;
  /** Index within the fork; 0 without one. */
  branch: number;
}

/** Turn-PPO first if present: turns are its subject. */
const PREFERRED = "turn-ppo";

export function resolveChoice(log: RunLog, choice: TurnChoice): ResolvedChoice {
  const algorithms = log.algorithms;
  const preferred = algorithms.includes(PREFERRED) ? PREFERRED : (algorithms[0] ?? "");
  const algorithm = algorithms.includes(choice.algorithm ?? "") ? choice.algorithm! : preferred;
  const iterations = log.iterationsWithEpisodes(algorithm);
  const newest = iterations.at(-1) ?? 0;
  const wanted = choice.iteration ?? newest;
  const iteration = iterations.includes(wanted) ? wanted : newest;
  const recorded = log.episodes(algorithm, iteration);
  const episode = clamp(choice.episode, recorded.length);
  const fork = forkAt(choice, { algorithm, iteration }, recorded[episode]);
  const branch = fork ? clamp(choice.branch ?? 0, fork.answer.kept.length) : 0;
  const episodes = fork ? withEpisode(recorded, fork.answer.kept[branch]!) : recorded;
  const turn = clamp(choice.turn, episodes[episode]?.turns.length ?? 0);
  const tokens = episodes[episode]?.turns[turn]?.tokens.length ?? 0;
  const token = choice.token === null || tokens === 0 ? null : clamp(choice.token, tokens);
  const follow = choice.iteration === null;
  const at = { algorithm, iterations, iteration, follow, episodes, episode, turn, token };
  return { ...at, fork, branch };
}

/** The iteration that the page displays: for a followed live run its progress, else what the panels show. */
export function iterationShown({ origin, log }: RunView, choice: TurnChoice): number {
  const follows = origin === "live" && choice.iteration === null;
  return follows ? log.finishedIterations : resolveChoice(log, choice).iteration;
}

/** The first part of a place that a run does not have, and what is shown instead; parts count from 1. */
export interface Missed {
  part: "method" | "iteration" | "episode" | "turn";
  meant: string;
  shown: string;
}

/** The part of a choice, e.g. from a link made for another run, that the run does not have; null if it has all of it, or no episodes. */
export function missedOf(
  choice: TurnChoice,
  { algorithm, iteration, episodes, episode, turn }: ResolvedChoice,
): Missed | null {
  if (episodes.length === 0) return null;
  const parts: [Missed["part"], string | number | null, string | number][] = [
    ["method", choice.algorithm, algorithm],
    ["iteration", choice.iteration, iteration],
    ["episode", choice.episode + 1, episode + 1],
    ["turn", choice.turn + 1, turn + 1],
  ];
  const missed = parts.find(([, meant, shown]) => meant !== null && meant !== shown);
  return missed ? { part: missed[0], meant: String(missed[1]), shown: String(missed[2]) } : null;
}

/** The chosen fork, if the cursor is on the episode that it branched from. */
function forkAt(
  { fork }: TurnChoice,
  at: Pick<ResolvedChoice, "algorithm" | "iteration">,
  recorded: EpisodeRecord | undefined,
): Fork | null {
  if (!fork || recorded?.trajectory !== fork.question.episode.trajectory) return null;
  const { algorithm, iteration } = fork.question;
  return algorithm === at.algorithm && iteration === at.iteration ? fork : null;
}

type EpisodeList = readonly EpisodeRecord[];
const replaced = new WeakMap<EpisodeRecord, { recorded: EpisodeList; episodes: EpisodeList }>();

/** The recorded alternative; the same list each time, so that derived data stays valid. */
function withEpisode(recorded: EpisodeList, kept: EpisodeRecord): EpisodeList {
  const known = replaced.get(kept);
  if (known?.recorded === recorded) return known.episodes;
  const episodes = recorded.map((one) => (one.trajectory === kept.trajectory ? kept : one));
  replaced.set(kept, { recorded, episodes });
  return episodes;
}

function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}

export function chooseAlgorithm(choice: TurnChoice, algorithm: string): TurnChoice {
  return { ...choice, algorithm };
}

/** The next algorithm, cyclically. */
export function cycleAlgorithm(log: RunLog, choice: TurnChoice): TurnChoice {
  const { algorithm } = resolveChoice(log, choice);
  const names = log.algorithms;
  const next = names[(names.indexOf(algorithm) + 1) % Math.max(names.length, 1)];
  return { ...choice, algorithm: next ?? null };
}

export function chooseIteration(choice: TurnChoice, iteration: number): TurnChoice {
  return { ...choice, iteration };
}

export function moveIteration(log: RunLog, choice: TurnChoice, by: number): TurnChoice {
  const { iterations, iteration } = resolveChoice(log, choice);
  const next = iterations[clamp(iterations.indexOf(iteration) + by, iterations.length)];
  return next === undefined ? choice : { ...choice, iteration: next };
}

/** Follows the newest iteration, or stays at the current one. */
export function setFollow(log: RunLog, choice: TurnChoice, follow: boolean): TurnChoice {
  return { ...choice, iteration: follow ? null : resolveChoice(log, choice).iteration };
}

export function moveEpisode(log: RunLog, choice: TurnChoice, by: number): TurnChoice {
  const { episodes, episode } = resolveChoice(log, choice);
  return { ...choice, episode: clamp(episode + by, episodes.length), turn: 0, token: null };
}

export function moveTurn(log: RunLog, choice: TurnChoice, by: number): TurnChoice {
  const { episodes, episode, turn } = resolveChoice(log, choice);
  const turns = episodes[episode]?.turns.length ?? 0;
  return { ...choice, episode, turn: clamp(turn + by, turns), token: null };
}

/** To the next or previous token, from the turn as a whole to its first or last, and on into the next turn. */
export function moveToken(log: RunLog, choice: TurnChoice, by: 1 | -1): TurnChoice {
  const { episodes, episode, turn, token } = resolveChoice(log, choice);
  const turns = episodes[episode]?.turns ?? [];
  const count = (h: number) => turns[h]?.tokens.length ?? 0;
  const next = token === null ? (by > 0 ? 0 : count(turn) - 1) : token + by;
  if (next >= 0 && next < count(turn)) return { ...choice, episode, turn, token: next };
  const beside = turn + by;
  if (count(beside) === 0) return choice;
  return { ...choice, episode, turn: beside, token: by > 0 ? 0 : count(beside) - 1 };
}

/**
 * In a link: algorithm, iteration, episode and turn from 1, then the token if one is chosen; "" for
 * the newest, and if a method's name could not be read back.
 */
export function writeChoice({ algorithm, iteration, episode, turn, token }: TurnChoice): string {
  const isLatest = algorithm === null && iteration === null && episode + turn === 0;
  if (isLatest && token === null) return "";
  const last = token === null ? [] : [token + 1];
  const text = [algorithm ?? "", iteration ?? "", episode + 1, turn + 1, ...last].join(",");
  return readChoice(text) ? text : "";
}

/** The inverse; null if the text is not a place. */
export function readChoice(text: string): TurnChoice | null {
  const parts = TURN_PLACE.exec(text);
  if (!parts) return null;
  const [, algorithm, iteration, episode, turn, token] = parts;
  const fromOne = (number: string) => Math.max(0, Number(number) - 1);
  return {
    algorithm: algorithm || null,
    iteration: iteration === "" ? null : Number(iteration),
    episode: fromOne(episode!),
    turn: fromOne(turn!),
    token: token === undefined ? null : fromOne(token),
  };
}
