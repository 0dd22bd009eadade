/** Which methods come near the true gradient: a recorded figure, which needs no run. */
import { useMemo, useState } from "react";
import {
  IntervalChart,
  IntervalLegend,
  intervalText,
  type IntervalPoint,
} from "../../charts/IntervalChart.tsx";
import { formatFixed, formatPercent } from "../../numeric/format.ts";
import { lineStyles } from "../../charts/palette.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { gradient } from "./manifest.ts";
import {
  drawnAtFirst,
  FIGURE_FILE,
  MOST_LINES,
  ranked,
  readFigure,
  type Alike,
  type FigureCheckpoint,
  type GradientFigure,
} from "./figure.ts";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { useServed } from "../../ui/parts/served.ts";
import { words } from "./words.ts";
import { Folded } from "../../ui/Folded.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { InlineField } from "../../ui/Field.tsx";

export function GradientPanel() {
  const figure = useServed(FIGURE_FILE, readFigure);
  return (
    <PanelFrame panel={gradient} about={words.about} className="gradient-panel" ofRun={false}>
      {figure === null && <Empty>{words.loading}</Empty>}
      {figure === "missing" && <p role="alert">{words.failed}</p>}
      {figure !== null && figure !== "missing" && <Figure {...figure} />}
    </PanelFrame>
  );
}

function Figure({ checkpoints }: GradientFigure) {
  const [id, setId] = useState(checkpoints[0]!.id);
  const chosen = checkpoints.find((one) => one.id === id) ?? checkpoints[0]!;
  return (
    <>
      <InlineField label={words.checkpoint}>
        <select value={chosen.id} onChange={(event) => setId(event.target.value)}>
          {checkpoints.map((one) => (
            <option key={one.id} value={one.id}>
              {one.title}
            </option>
          ))}
        </select>
      </InlineField>
      <AtCheckpoint key={chosen.id} checkpoint={chosen} />
    </>
  );
}

function AtCheckpoint({ checkpoint }: { checkpoint: FigureCheckpoint }) {
  const { sizes } = checkpoint;
  const [size, setSize] = useState(sizes.at(-1)!);
  const at = sizes.indexOf(size);
  const rows = useMemo(() => ranked(checkpoint.rows, at), [checkpoint, at]);
  const [drawn, setDrawn] = useState(() => drawnAtFirst(rows));
  const toggle = (name: string) =>
    setDrawn((now) => (now.includes(name) ? now.filter((one) => one !== name) : [...now, name]));
  return (
    <>
      <Charts rows={rows.filter(({ name }) => drawn.includes(name))} sizes={sizes} />
      <InlineField label={words.size}>
        <select
          value={size}
          data-testid="gradient-size"
          onChange={(event) => setSize(Number(event.target.value))}
        >
          {sizes.map((one) => (
            <option key={one} value={one}>
              {one} {words.episodes}
            </option>
          ))}
        </select>
      </InlineField>
      <RowTable
        rows={rows}
        at={at}
        size={size}
        drawn={drawn}
        toggle={toggle}
        against={checkpoint.against}
      />
      <Provenance checkpoint={checkpoint} />
    </>
  );
}

const fixed = (x: number) => formatFixed(x, 2);
const fine = (x: number) => formatFixed(x, Math.abs(x) < 0.1 ? 3 : 2);

function Charts({ rows, sizes }: { rows: Alike[]; sizes: number[] }) {
  const series = (of: "cosine" | "snr") =>
    rows.map((row) => ({
      id: row.name,
      name: row.titles.join(", "),
      ...styleOf(row, rows),
      points: row[of].map(pointOf),
    }));
  const shared = { xName: words.episodes, steps: sizes };
  return (
    <>
      <IntervalLegend series={series("cosine")} />
      <div className="chart-grid">
        <IntervalChart
          {...shared}
          title={words.cosine}
          hint={words.cosineHint}
          format={fixed}
          testId="gradient-cosine"
          series={series("cosine")}
        />
        <IntervalChart
          {...shared}
          title={words.snr}
          hint={words.snrHint}
          format={fine}
          testId="gradient-snr"
          series={series("snr")}
        />
      </div>
    </>
  );
}

/** Ceilings have the ink colour, like truth everywhere, and a dash each. */
function styleOf(row: Alike, rows: readonly Alike[]) {
  const ceilings = rows.filter(({ ceiling }) => ceiling);
  if (row.ceiling)
    return {
      colour: "var(--ink)",
      dash: ["", "6 3", "2 3", "10 3 2 3"][ceilings.indexOf(row) % 4]!,
    };
  return lineStyles(rows.filter(({ ceiling }) => !ceiling).map(({ name }) => name)).get(row.name)!;
}

function pointOf([value, low, high]: readonly (number | null)[]): IntervalPoint {
  return { value: value ?? null, low: low ?? null, high: high ?? null };
}

interface RowTableProps {
  rows: Alike[];
  against: string;
  at: number;
  size: number;
  drawn: readonly string[];
  toggle: (name: string) => void;
}

function RowTable({ rows, against, at, size, drawn, toggle }: RowTableProps) {
  const number = (
    id: "cosine" | "snr" | "limit",
    head: string,
    format = fixed,
  ): TableColumn<Alike> => ({
    id,
    head,
    kind: "number",
    cell: (row) => intervalText(pointOf(row[id][at]!), format),
  });
  const columns: TableColumn<Alike>[] = [
    {
      id: "row",
      head: words.row,
      kind: "name",
      cell: (row) => <RowName row={row} drawn={drawn} toggle={toggle} />,
    },
    number("cosine", words.cosine),
    {
      id: "difference",
      head: words.difference(against),
      kind: "number",
      cell: ({ difference }) => (difference ? intervalText(pointOf(difference[at]!), fixed) : "–"),
    },
    number("snr", words.snr, fine),
    number("limit", words.limit),
  ];
  return (
    <DataTable
      label={words.table(size)}
      testId="gradient-rows"
      caption={`${words.table(size)}. ${words.tableNote}`}
      columns={columns}
      rows={rows}
      keyOf={({ name }) => name}
      rowProps={({ name }) => ({ "data-row": name })}
    />
  );
}

interface RowNameProps extends Pick<RowTableProps, "drawn" | "toggle"> {
  row: Alike;
}

function RowName({ row: { name, titles, ceiling }, drawn, toggle }: RowNameProps) {
  const isDrawn = drawn.includes(name);
  return (
    <label className="gradient-row">
      <input
        type="checkbox"
        checked={isDrawn}
        disabled={drawn.length >= MOST_LINES && !isDrawn}
        aria-label={words.draw(titles.join(", "))}
        onChange={() => toggle(name)}
      />
      <span>{titles.join(", ")}</span>
      {ceiling && <span className="tag">{words.ceiling}</span>}
    </label>
  );
}

function Provenance({ checkpoint }: { checkpoint: FigureCheckpoint }) {
  const { n, group, branches, machine, commands, referenceNoise } = checkpoint;
  return (
    <>
      <p className="note">{words.counts(n)}</p>
      <Folded title={words.how} className="gradient-how">
        {words.explain.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p>
          {words.batches(group, branches)}{" "}
          {words.noise(intervalText(pointOf(referenceNoise), formatPercent))}
        </p>
        <p>
          {words.machine}: {machine}
        </p>
        <p>{words.command}:</p>
        <ul>
          {commands.map((command) => (
            <li key={command}>
              <code>{command}</code>
            </li>
          ))}
        </ul>
      </Folded>
    </>
  );
}
