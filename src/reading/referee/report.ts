/** Lines of the referee, and means over tasks. */
import { InputError } from "../../numeric/inputError.ts";
import { significant } from "../../numeric/significant.ts";
import { mean } from "../../numeric/statistics.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import {
  REFEREE_CRITICS,
  REFEREE_MEASURES,
  type RefereeCritic,
  type RefereeLine,
  type RefereeMeasure,
  type ReportedNumber,
  type ReportedTask,
  type ScoredLine,
} from "./lines.ts";
import { scoreRow, type RefereeCourt, type RefereeScore } from "./score.ts";

export function describeCourt({ game, truth }: RefereeCourt): ReportedTask {
  const { name, title, tests } = game.task;
  const [score, turns, meanSquare] = [truth.score, truth.turns, truth.meanSquare].map(brief);
  return { name, title, tests, score: score!, turns: turns!, meanSquare: meanSquare! };
}

/** One line, or for a row with a critic one for each kind of critic, unless one kind is asked for. */
export function refereeLines(
  court: RefereeCourt,
  config: AlgorithmConfig,
  asked?: RefereeCritic,
): RefereeLine[] {
  const critics = config.critic === "none" ? [null] : asked ? [asked] : REFEREE_CRITICS;
  return critics.map((critic) => {
    const about = { task: court.game.task.name, row: config.name, critic };
    try {
      return { ...about, ...reported(scoreRow(court, config, critic)) };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { ...about, refused: error.message };
    }
  });
}

function reported(score: RefereeScore): Omit<ScoredLine, "task" | "row" | "critic"> {
  const { units, episodes } = score;
  const measures = REFEREE_MEASURES.map((name): [RefereeMeasure, ReportedNumber] => {
    const { value, low, high } = score[name];
    return [name, [orNull(value), orNull(low), orNull(high)]];
  });
  const made = Object.fromEntries(measures) as Record<RefereeMeasure, ReportedNumber>;
  return { units, ...made, episodes };
}

/** Four digits: intervals are wider. */
const brief = (x: number) => significant(x, 4);
const orNull = (x: number) => (Number.isFinite(x) ? brief(x) : null);

interface RowMeans extends Record<RefereeMeasure, number | null> {
  row: string;
  critic: RefereeCritic | null;
  /** Tasks that it was scored on, and those on which some batch has a good gradient. */
  tasks: number;
  reached: number;
}

/** Means over tasks for each row and critic, the gradient nearest to the true one first. */
export function summariseLines(lines: readonly RefereeLine[]): RowMeans[] {
  const rows = new Map<string, ScoredLine[]>();
  for (const line of lines) {
    if ("refused" in line) continue;
    const key = `${line.row} ${line.critic}`;
    rows.set(key, [...(rows.get(key) ?? []), line]);
  }
  const means = [...rows.values()].map((own) => {
    const over = REFEREE_MEASURES.map((name): [RefereeMeasure, number | null] => {
      const known = own.map((line) => line[name][0]).filter((x) => x !== null);
      return [name, orNull(mean(known))];
    });
    return {
      row: own[0]!.row,
      critic: own[0]!.critic,
      tasks: own.length,
      reached: own.filter(({ episodes }) => episodes !== null).length,
      ...(Object.fromEntries(over) as Record<RefereeMeasure, number | null>),
    };
  });
  return means.sort((a, b) => (b.cosine ?? -1) - (a.cosine ?? -1));
}
