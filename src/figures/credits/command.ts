/** The command line that computes a row's numbers from the saved batch. */
import { dependsOnRewardScale } from "../../algorithm/registry.ts";
import { nothingToNormalise } from "../../reading/credit/normalised.ts";
import { creditOf } from "../../reading/credit/rowCredit.ts";
import { howOf, setWords, type Row } from "../../reading/credit/rows.ts";
import type { TableInput } from "./tableModel.ts";

/** Why a row has no numbers, neither here nor outside of the page; null if it has some. */
export function noNumbersOf(
  row: Row,
  { episodes, played, count }: Pick<TableInput, "episodes" | "played" | "count">,
): string | null {
  const tried = creditOf(row.config!, episodes, howOf(row, played));
  return tried.ok ? nothingToNormalise(row.config!, tried.ok, count) : tried.reason;
}

/**
 * With training's normalisation if the row uses it: the file contains only the recorded episodes.
 * With its reward scale if that differs: the file contains rewards as the environment pays them.
 */
export function commandOf(
  row: Row,
  { episodes, played }: Pick<TableInput, "episodes" | "played">,
  file: string,
): string {
  const { name, rewardScale } = row;
  const config = row.config!;
  const whole = creditOf(config, episodes, howOf(row, played)).ok?.whitening;
  const set = setWords(config).map((word) => ` --set ${word}`);
  const normalise = whole ? ` --normalise ${whole.mean},${whole.divisor}` : "";
  const scale =
    rewardScale !== 1 && dependsOnRewardScale(config) ? ` --reward-scale ${rewardScale}` : "";
  const options = `${set.join("")}${scale}${normalise}`;
  return `npm run -s turnbook -- credit --algorithm ${name} --batch ${file}${options}`;
}
