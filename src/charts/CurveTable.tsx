/** The numbers of a chart of curves, iteration by iteration, with the difference to the baseline. */
import { TextTable } from "../ui/DataTable.tsx";
import { greatest } from "../numeric/lists.ts";
import { formatSignedLike } from "../numeric/format.ts";
import type { Curve } from "./curveTypes.ts";
import { heightBeside } from "./difference.ts";
import { chartWords as words } from "./words.ts";

interface CurveTableProps {
  title: string;
  curves: readonly Curve[];
  format: (value: number) => string;
  formatX: (x: number) => string;
  /** Otherwise each number says its place on x. */
  byIteration: boolean;
  testId: string;
}

export function CurveTable(props: CurveTableProps) {
  const { title, curves, testId } = props;
  const columns = curveColumns(curves);
  const rows = curveRows(props);
  const all = greatest([0, ...curves.map(({ x }) => x.length)]);
  return (
    <>
      {rows.length < all && <p className="note">{words.sampled(rows.length, all)}</p>}
      <TextTable
        label={words.table(title)}
        testId={testId}
        head={[words.iteration, ...columns.map(({ name }) => name)]}
        headProps={(i) => (i === 0 ? undefined : { "data-series": columns[i - 1]!.key })}
        rows={rows.map(({ iteration, cells }) => [String(iteration), ...cells])}
        rowProps={([iteration]) => ({ "data-x": iteration })}
      />
    </>
  );
}

function baselineOf(curves: readonly Curve[]): Curve | undefined {
  return curves.find(({ weight }) => weight === "baseline");
}

function curveColumns(curves: readonly Curve[]): { key: string; name: string }[] {
  const baseline = baselineOf(curves);
  return curves.flatMap((curve) => {
    const own = { key: curve.id, name: curve.name };
    const difference = { key: `${curve.id}|difference`, name: words.difference };
    return baseline && curve !== baseline ? [own, difference] : [own];
  });
}

/** Every iteration that is drawn of any curve, with what each curve has there. */
export function curveRows({
  curves,
  format,
  formatX,
  byIteration,
}: Pick<CurveTableProps, "curves" | "format" | "formatX" | "byIteration">): {
  iteration: number;
  cells: string[];
}[] {
  const baseline = baselineOf(curves);
  const places = new Map(
    curves.map((curve) => [curve, new Map(curve.iteration.map((n, i) => [n, i]))]),
  );
  const base = curves.map((curve) => baseline && heightBeside(curve, baseline, byIteration));
  const drawn = new Set(curves.flatMap(({ kept, iteration }) => kept.map((i) => iteration[i]!)));
  const cellsAt = (n: number) => {
    const at = (curve: Curve) => {
      const i = places.get(curve)!.get(n);
      return i === undefined ? undefined : { i, y: curve.y[i] ?? null };
    };
    return curves.flatMap((curve, c) => {
      const here = at(curve);
      const own = here ? cell(curve, here, format, byIteration ? null : formatX) : "";
      if (!baseline || curve === baseline) return [own];
      const other = here ? base[c]!(here.i) : null;
      const both = typeof here?.y === "number" && other !== null;
      return [own, both ? formatSignedLike(format, here.y! - other) : ""];
    });
  };
  const order = [...drawn].sort((a, b) => a - b);
  return order.map((iteration) => ({ iteration, cells: cellsAt(iteration) }));
}

function cell(
  curve: Curve,
  { i, y }: { i: number; y: number | null },
  format: (value: number) => string,
  formatX: ((x: number) => string) | null,
): string {
  const seeds = greatest(curve.n) > 1 ? ` (n = ${curve.n[i]!})` : "";
  const interval = intervalCell(curve, curve.x[i]!, format);
  const place = formatX ? ` ${words.place(formatX(curve.x[i]!))}` : "";
  return (y === null ? words.notFinite : format(y)) + interval + seeds + place;
}

function intervalCell(curve: Curve, x: number, format: (value: number) => string): string {
  const found = curve.band?.find((point) => point.x === x);
  if (!found || !Number.isFinite(found.low)) return "";
  return ` [${format(found.low)}, ${format(found.high)}]`;
}
