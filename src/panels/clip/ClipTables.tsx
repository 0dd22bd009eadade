/** The numbers behind the clip panel's pictures. */
import { formatSigned } from "../../numeric/format.ts";
import { NumbersTable } from "../../charts/NumbersTable.tsx";
import type { Band } from "../../objective/clipBand.ts";
import { binEdge } from "../../objective/ratioHistogram.ts";
import type { UpdateRecord } from "../../record/runEvent.ts";
import { isBeyond } from "./band.ts";
import { count, share } from "./describe.ts";
import { addUp, cutFraction, type Sum, type TurnCuts } from "../../reading/updateSteps.ts";
import { words } from "./words.ts";

interface ClipTablesProps {
  sum: Sum;
  steps: readonly UpdateRecord[];
  band: Band | null;
}

export function ClipTables({ sum, steps, band }: ClipTablesProps) {
  const { tables, heads } = words;
  const hasUses = sum.total.uses > 0;
  return (
    <>
      {hasUses && (
        <NumbersTable
          title={tables.turns}
          testId="clip-turns-table"
          head={heads.turns}
          rows={sum.byTurn.map((cuts, h) => [String(h + 1), ...cutCells(cuts)])}
        />
      )}
      {(["token", "turn"] as const).map((unit) => (
        <NumbersTable
          key={unit}
          title={tables.bins(words.units[unit])}
          testId={`clip-${unit}-table`}
          head={heads.bins}
          rows={binRows(sum, unit, band)}
        />
      ))}
      {hasUses && (
        <NumbersTable
          title={tables.steps}
          testId="clip-steps-table"
          head={heads.steps}
          rows={steps.map((step) => [
            words.step(step.epoch, step.minibatch),
            ...cutCells(addUp([step]).total),
            share(step.cutShare),
          ])}
        />
      )}
    </>
  );
}

function cutCells(cuts: TurnCuts): string[] {
  const { uses, high, low } = cuts;
  return [count(uses), count(high), count(low), share(cutFraction(cuts))];
}

function binRows(sum: Sum, unit: "token" | "turn", band: Band | null): string[][] {
  const histogram = sum[unit];
  return histogram.counts.map((n, i) => {
    const [from, to] = [binEdge(histogram, i), binEdge(histogram, i + 1)];
    const beyond = band?.level === unit && isBeyond(band, from, to);
    return [formatSigned(from), formatSigned(to), count(n), beyond ? words.yes : words.no];
  });
}
