/** Why rows differ: what each compares the episode with, in a sentence with its numbers. */
import { formatSignedBrief } from "../../numeric/format.ts";
import { largestSize } from "../../numeric/lists.ts";
import { trajectoryScores } from "../../method/credit/rewards.ts";
import { isAlone } from "../../reading/credit/alone.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { advantageLevel } from "../../spec/algorithmDocs/advantageFormulas.ts";
import type { CreditColumn } from "./columns.ts";
import { words } from "./words.ts";

interface Credited {
  title: string;
  config: AlgorithmConfig;
  batch: TrajectoryBatch;
  /** Index of the episode in the batch. */
  episode: number;
  columns: readonly CreditColumn[];
  /** Advantage of each column. */
  values: readonly (number | null)[];
}

/** Null if the row makes another comparison, or if no turns are shown. */
export function whyOf(row: Credited): string | null {
  const { config, batch, episode } = row;
  const grouped = config.grouped && advantageLevel(config) === "trajectory";
  // Other group baselines differ from the mean: see each row's formula.
  if (grouped)
    return config.baseline !== "group-mean" || isAlone(batch.task, episode) ? null : whyGroup(row);
  return config.critic === "none" ? null : whyCritic(row);
}

function whyGroup({ title, batch, episode }: Credited): string {
  const score = trajectoryScores(batch); // [B]
  const members = [...score].filter((_, b) => batch.task[b] === batch.task[episode]);
  const mean = members.reduce((sum, one) => sum + one, 0) / members.length;
  const size = largestSize(members);
  const [own, ofGroup] = [formatSignedBrief(score[episode]!, size), formatSignedBrief(mean, size)];
  return words.whyGroup(title, own, ofGroup, members.length);
}

function whyCritic({ title, config, columns, values }: Credited): string | null {
  const turns = columns.flatMap(({ turn, token }, i) => {
    const value = values[i];
    const isKnown = value !== null && value !== undefined && Number.isFinite(value);
    return turn !== null && token === null && isKnown ? [{ turn, value }] : [];
  });
  if (turns.length < 2) return null;
  const most = turns.reduce((a, b) => (b.value > a.value ? b : a));
  const least = turns.reduce((a, b) => (b.value < a.value ? b : a));
  const size = largestSize(turns.map(({ value }) => value));
  const say = ({ turn, value }: typeof most) =>
    words.turnWorth(turn + 1, formatSignedBrief(value, size));
  return words.whyCritic(title, config.critic === "turn", say(most), say(least));
}
