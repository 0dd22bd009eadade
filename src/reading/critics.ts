/**
 * Which critic's values an episode is shown with: the method's own, else another one of the run.
 */
import { isSameDiscount, type Discount } from "../method/credit/discount.ts";
import { finite } from "../numeric/finite.ts";
import type { EpisodeRecord, TurnRecord } from "../record/runEvent.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { runConfig } from "./runConfig.ts";

export interface Critic {
  /** Name of its algorithm. */
  name: string;
  /** Whether it is the critic of the method in question. */
  own: boolean;
  /** The time step of its TD errors. */
  steps: "turn" | "token";
  valueAt: AlgorithmConfig["valueAt"];
  gamma: number;
  /** Whether gamma is known from the run. */
  known: boolean;
}

/** The critic for the episodes of a method; null if none has a value for any of their turns. */
export function criticFor(
  spec: ExperimentSpec | undefined,
  algorithm: string,
  episodes: readonly EpisodeRecord[],
): Critic | null {
  const turns = episodes.flatMap((episode) => episode.turns);
  const asked = Object.keys(turns.find(({ critics }) => isTable(critics))?.critics ?? {});
  const hasOwn = asked.includes(algorithm) || turns.some(({ value }) => finite(value) !== null);
  if (hasOwn) return describedCritic(spec, algorithm, turns, true);
  const others = asked.map((name) => describedCritic(spec, name, turns, false));
  return others.find(({ steps }) => steps === "turn") ?? others[0] ?? null;
}

function isTable(critics: unknown): boolean {
  return typeof critics === "object" && critics !== null && Object.keys(critics).length > 0;
}

function describedCritic(
  spec: ExperimentSpec | undefined,
  name: string,
  turns: readonly TurnRecord[],
  own: boolean,
): Critic {
  const config = runConfig(spec, name);
  const ofTokens = config
    ? config.baseline === "token-critic"
    : turns.some(({ tokens }) => tokens.some(({ value }) => finite(value) !== null));
  return {
    name,
    own,
    steps: ofTokens ? "token" : "turn",
    valueAt: config?.valueAt ?? "state-end",
    gamma: config?.gamma ?? 1,
    known: config !== null,
  };
}

/** Whether a truth with this discount is a different quantity than the critic's V, as far as the run records. */
export function isOtherDiscount(critic: Critic | null, found: Discount | undefined): boolean {
  return critic !== null && critic.known && found !== undefined && !isSameDiscount(found, critic);
}

/** V of a turn; null if not recorded. */
export function turnValue(turn: TurnRecord, critic: Critic): number | null {
  const all = tokenValues(turn, critic);
  if (critic.valueAt === "turn-end" && all.length > 0) return all.at(-1)!;
  if (critic.valueAt === "turn-mean" && all.length > 0) return meanOfValues(all);
  return all[0] ?? (critic.own ? finite(turn.value) : null);
}

/** The critic's values for the turn: one, or one for each token's prefix. */
function tokenValues(turn: TurnRecord, { name, own }: Critic): (number | null)[] {
  const recorded: unknown = turn.critics?.[name];
  if (Array.isArray(recorded)) return recorded.map(finite);
  const values = own ? turn.tokens.map(({ value }) => finite(value)) : [];
  return values.some((value) => value !== null) ? values : [];
}

function meanOfValues(values: readonly (number | null)[]): number | null {
  if (values.some((value) => value === null)) return null;
  return values.reduce<number>((sum, value) => sum + value!, 0) / values.length;
}

/** Whether a critic has values, and all of them are 0, as before its first step. */
export function isUntrained(turns: readonly TurnRecord[], critic: Critic | null): boolean {
  if (!critic) return false;
  const values = turns.map((turn) => turnValue(turn, critic)).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => value === 0);
}
