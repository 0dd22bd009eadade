/** What was read from data files, and every kind of row that could not be used as it is. */
import type { LoadedShop } from "../../env/webshop/loadProducts.ts";
import { describeWarning } from "../../env/webshop/loadReport.ts";
import { words } from "../shared/shop/words.ts";

const { files: w } = words;

export function LoadReportView({ counts, warnings }: Pick<LoadedShop, "counts" | "warnings">) {
  const { rows, products, instructions, goals } = counts;
  const flaws = warnings.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className="load-report" data-testid="load-report">
      <p>{w.counts(rows, products, instructions, goals)}</p>
      <p>{flaws === 0 ? w.flawless : w.flaws(flaws)}</p>
      {warnings.length > 0 && (
        <ul>
          {warnings.map((warning) => (
            <li key={`${warning.problem} ${warning.remedy}`}>{describeWarning(warning)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
