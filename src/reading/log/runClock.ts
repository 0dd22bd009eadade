/** Cumulative cost of an algorithm up to each of its iterations: turns played, tokens written, seconds of work. */
import type { IterationEvent, Metrics } from "../../record/runEvent.ts";

/** Totals after each finished iteration; null from the first iteration without the data. */
export interface RunClock {
  readonly turns: (number | null)[];
  readonly tokens: (number | null)[];
  readonly seconds: (number | null)[];
}

export function newClock(): RunClock {
  return { turns: [], tokens: [], seconds: [] };
}

/** used: what the iteration played and wrote. */
export function tick(clock: RunClock, { time }: IterationEvent, { turns, tokens }: Used): void {
  advance(clock.turns, turns);
  advance(clock.tokens, tokens);
  advance(clock.seconds, secondsOf(time));
}

/** Turns and tokens of an iteration; null for what its log lacks. */
export interface Used {
  readonly turns: number | null;
  readonly tokens: number | null;
}

/** Episodes x turns per episode x tokens per turn; episodes: null if unknown. */
export function usedBy(metrics: Metrics, episodes: number | null): Used {
  const turns = times(metrics["num_turns/mean"], episodes);
  return { turns, tokens: times(tokensPerTurn(metrics), turns) };
}

/** Over all responses; if a log has the number only for trained ones, over these. */
function tokensPerTurn(metrics: Metrics): number | null {
  return metrics["response_length/mean"] ?? metrics["turn_len/mean"] ?? null;
}

/** An algorithm's own phases: other methods' work in between does not count. */
const PHASES = ["rollout", "fit", "update"];

/** Seconds of an iteration's own work; null if its log lacks them. */
export function secondsOf(time: IterationEvent["time"]): number | null {
  if (typeof time.seconds === "number") return time.seconds;
  const phases = PHASES.map((name) => time[name]).filter((value) => typeof value === "number");
  return phases.length === 0 ? null : phases.reduce((sum, value) => sum + value, 0);
}

function times(a: number | null | undefined, b: number | null): number | null {
  return typeof a === "number" && b !== null ? a * b : null;
}

function advance(totals: (number | null)[], by: number | null): void {
  const before = totals.length === 0 ? 0 : totals.at(-1)!;
  const next = before === null || by === null ? null : before + by;
  totals.push(next !== null && Number.isFinite(next) ? next : null);
}
