/** The command line that computes a row's numbers from the saved batch. */
import { creditOf } from "./rowCredit.ts";
import { isTrained, setWords, type Row } from "./rows.ts";
import type { TableInput } from "./tableModel.ts";

/** With training's normalisation where the row has that: the file holds the recorded episodes alone. */
export function commandOf(
  row: Row,
  { episodes, played }: Pick<TableInput, "episodes" | "played">,
  file: string,
): string {
  const { name } = row;
  const config = row.config!;
  const whole = creditOf(config, episodes, isTrained(row, played)).ok?.whitening;
  const set = setWords(config).map((word) => ` --set ${word}`);
  const normalise = whole ? ` --normalise ${whole.mean},${whole.divisor}` : "";
  return `npm run -s turnbook -- credit --algorithm ${name} --batch ${file}${set.join("")}${normalise}`;
}
