/** The content of the parts of a columnar recording, and the precision of their numbers. */
import type {
  EpisodeRecord,
  IterationEvent,
  RunEvent,
  TurnRecord,
  UpdateRecord,
} from "../../record/runEvent.ts";
import type { PrecisionOf } from "./shred.ts";

/** Every event in order, iterations without episodes and updates. */
export interface CurvesPart {
  events: RunEvent[];
}

/** What a method played in an iteration: whole groups, with tokens. */
interface MethodPart {
  episodes: EpisodeRecord[];
  /** Null if the log does not have them. */
  updates: UpdateRecord[] | null;
  /** Computed when the recording was made; for some of the episodes, by trajectory. */
  truths: Record<string, StoredTruth>;
}

export interface IterationPart {
  methods: Record<string, MethodPart>;
}

/** For one turn: mean and 95 % interval, rewards unscaled. */
interface StoredTurnTruth {
  value: number;
  valueInterval: [number, number];
  advantage: number;
  advantageInterval: [number, number];
  /** Shares of continuations that succeed, before and after it. */
  solved?: [number, number];
}

export interface StoredTruth {
  turns: StoredTurnTruth[];
  found: { trained: number; branches: number; gamma: number; steps: "turn" | "token" };
}

/** One turn of an episode whose text and tokens are not stored. */
interface TurnColumns {
  reward: number;
  /** If the run has process rewards. */
  processReward?: number;
  value: number | null;
  advantage: number;
  return: number | null;
  ratio: number;
  clipped: boolean | null;
  /** Tokens of the response. */
  length: number;
}

/** Every episode that the iteration's event recorded, turn by turn. */
export interface TurnsPart {
  methods: Record<string, PackedEpisode[]>;
}

interface PackedEpisode extends Pick<
  EpisodeRecord,
  "task" | "trajectory" | "success" | "terminated" | "truncated"
> {
  turns: TurnColumns[];
}

/** Names that are compared, replayed or used as keys: never rounded. */
const EXACT = [
  "reward",
  "formatPenalty",
  "processReward",
  "greedyScore",
  "seed",
  "trajectory",
  "id",
];

/** Numbers of episodes: 16 bits if that suffices. */
export const ofEpisodes: PrecisionOf = (path) => {
  if (path.includes("updates")) return "exact";
  if (path.includes("truths")) return "fine";
  return EXACT.includes(path.at(-1) ?? "") ? "exact" : "coarse";
};

/** Metrics and clock readings to 7 digits, settings exactly. */
export const ofCurves: PrecisionOf = (path) =>
  path.includes("metrics") || path.includes("time") ? "fine" : "exact";

export function lightEvent(event: RunEvent): RunEvent {
  if (event.type !== "iteration") return event;
  const { updates: _, ...rest } = event;
  return { ...rest, episodes: [] };
}

export function turnsOf({ episodes }: IterationEvent): TurnsPart["methods"][string] {
  return episodes.map(({ task, trajectory, success, terminated, truncated, turns }) => ({
    task,
    trajectory,
    success,
    terminated,
    truncated,
    turns: turns.map(columnsOf),
  }));
}

function columnsOf({ tokens, processReward, ...turn }: TurnRecord): TurnColumns {
  const { reward, value, advantage, return: target, ratio, clipped } = turn;
  return {
    reward,
    value,
    advantage,
    return: target,
    ratio,
    clipped,
    length: tokens.length,
    ...(processReward !== undefined && { processReward }),
  };
}
