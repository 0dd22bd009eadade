/** Contrasts in words: what the runs support, how many would tell, and what the paper has. */
import type { Cell } from "./cells.ts";
import { survives, type Contrast } from "./contrasts.ts";

/** A cell's lines, one for each method that is compared with Turn-PPO there. */
export function verdicts({ name, paper }: Cell, contrasts: readonly Contrast[]): string[] {
  return contrasts
    .filter(({ cell }) => cell === name)
    .map((one) => `- ${verdict(one)}${inPaper(paper, one)}`);
}

export function verdict(contrast: Contrast): string {
  const { a, b, measure, differences, interval, mean, p, holm } = contrast;
  const [value, low, high] = [mean, interval.low, interval.high].map((x) => signed(x, measure));
  const by = `${value} (${low} to ${high}, ${differences.length} seeds)`;
  return `${a} minus ${b}: ${measure} ${by}, p ${chance(p)}, by Holm ${chance(holm)}: ${judgement(contrast)}.`;
}

/** In a word, or how many seeds it would take. */
export function judgement(contrast: Contrast): string {
  const { mean, seeds } = contrast;
  if (survives(contrast)) return mean > 0 ? "higher" : "lower";
  if (contrast.p < 0.05) return "open, since it does not survive Holm";
  const count = seeds === null ? "more than 10,000" : `about ${seeds}`;
  return `open; ${count} seeds would tell, were this the true difference`;
}

/** What the paper has of the two for the model that the cell names, where it has figures: a crash there compares with no score here. */
export function inPaper(paper: Cell["paper"], contrast: Contrast): string {
  const [ours, theirs] = (contrast.methods ?? []).map((method) => paper?.[method]);
  const [one, two] = [Number(ours), Number(theirs)];
  if (!Number.isFinite(one) || !Number.isFinite(two)) return "";
  const isSame = one > two === contrast.mean > 0;
  const agrees = !survives(contrast) ? "" : isSame ? ", the same way" : ", the other way";
  return ` The paper (${paper!["model"]}) has ${ours} and ${theirs}${agrees}.`;
}

/** Of TABLE.md: every contrast, a row each. */
export function contrastTable(contrasts: readonly Contrast[]): string[] {
  return [
    "| Difference | Measure | Mean (95 %) | p | p by Holm | Seeds for 80 % power | |",
    "|---|---|---|---|---|---|---|",
    ...contrasts.map((one) => {
      const { a, b, cell, measure, mean, interval, p, holm, seeds } = one;
      const where = cell === null ? "" : ` (\`${cell}\`)`;
      const [value, low, high] = [mean, interval.low, interval.high].map((x) => plain(x, measure));
      const cells = [
        `${a} minus ${b}${where}`,
        measure === "success" ? "success, points" : "reward",
        `${value} (${low} to ${high})`,
        ...[chance(p), chance(holm), seeds === null ? "over 10,000" : String(seeds)],
        survives(one) ? "**survives**" : "open",
      ];
      return `| ${cells.join(" | ")} |`;
    }),
  ];
}

/** Points to a tenth, as everywhere; rewards to a hundredth, or a thousandth where the unit is a share. */
function plain(x: number, measure: Contrast["measure"]): string {
  return x.toFixed(measure === "success" ? 1 : 3).replace("-", "−");
}

const signed = (x: number, measure: Contrast["measure"]) =>
  `${x < 0 ? "" : "+"}${plain(x, measure)}`;

/** A p-value. */
export const chance = (p: number) =>
  p < 0.0001 ? "under 0.0001" : p.toFixed(p < 0.001 ? 4 : p < 0.1 ? 3 : 2);
