/** Beside the curves: which conditions the methods share, and what invalidates the comparison. */
import { useMemo, type ReactNode } from "react";
import { least } from "../../numeric/lists.ts";
import { fairnessOfLogged, type Fairness } from "../../spec/fairness.ts";
import { axisAbout, type FairnessRow, type FairnessStatus } from "../../spec/fairnessRows.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { titleOf } from "../../reading/titles.ts";
import { DataTable, type ShortColumn } from "../../ui/DataTable.tsx";
import { formatX } from "../../figures/curves/axes.ts";
import { words } from "../../figures/curves/fairnessWords.ts";

const titles = (names: readonly string[]) => names.map(titleOf);

/** A row of a table: of the spec's conditions, or of what the log has counted. */
interface CardRow {
  id: string;
  label: ReactNode;
  values: FairnessRow["values"];
  status: string;
}

export function FairnessCard({ log }: { log: RunLog }) {
  const spec = log.start?.spec;
  const fairness = useMemo(() => fairnessOfLogged(spec), [spec]);
  if (!fairness) return null;
  const { rows, warnings } = fairness;
  const isSearch = ({ id }: FairnessRow) => id === "search";
  const search = rows.filter(isSearch);
  const of = (wanted: FairnessStatus) =>
    rows.filter((row) => row.status === wanted && !isSearch(row));
  const [differs, equal] = [of("differs"), of("equal")];
  const card = (some: readonly FairnessRow[]) => some.map((row) => cardRow(row, fairness));
  const methods = Object.keys(search[0]?.values ?? {});
  const isSearched = fairness.search !== null;
  return (
    <details className="fairness" data-testid="fairness">
      <summary>
        <strong>{words.title}</strong>{" "}
        <span className="note">
          {words.summary(differs.length, equal.length, isSearched, warnings.length)}
        </span>
      </summary>
      {warnings.length > 0 && (
        <ul className="notice notice-warning">
          {warnings.map((warning) => (
            <li key={warning.id} data-warning={warning.id}>
              {words.warning(warning, fairness, titles)}
            </li>
          ))}
        </ul>
      )}
      <FairnessTable
        label={words.title}
        methods={methods}
        rows={[...card([...search, ...differs]), ...writtenRows(log, methods)]}
        hasStatus
      />
      {methods.length > 0 && !isSearched && <p className="note">{words.unknown}</p>}
      <Fold title={words.method} methods={methods} rows={card(of("method"))} />
      <Fold title={words.equal} methods={methods} rows={card(equal)} />
    </details>
  );
}

function cardRow({ id, values, status }: FairnessRow, fairness: Fairness): CardRow {
  return { id, label: labelOf(id, fairness), values, status: words.status[status] };
}

function labelOf(id: FairnessRow["id"], { kind, search }: Fairness): ReactNode {
  if (id === "search") return words.search(search && search.config);
  if (id === "tasks") return words.tasks(kind);
  if (!isAxis(id)) return words.rows[id];
  return (
    <>
      <code>{id}</code> <span className="note">{words.axis(axisAbout[id].about)}</span>
    </>
  );
}

const isAxis = (id: FairnessRow["id"]): id is keyof typeof axisAbout =>
  Object.hasOwn(axisAbout, id);

/** Tokens that each method has written up to the last iteration that all have finished; none if the log lacks them. */
function writtenRows(log: RunLog, methods: readonly string[]): CardRow[] {
  const totals = methods.map((name) => log.clock(name).tokens);
  const begun = totals.filter(({ length }) => length > 0);
  const iterations = begun.length === 0 ? 0 : least(begun.map(({ length }) => length));
  const values = Object.fromEntries(
    methods.map((name, i) => {
      const total = totals[i]![iterations - 1] ?? null;
      return [name, total === null ? null : formatX("tokens", total)];
    }),
  );
  if (Object.values(values).every((value) => value === null)) return [];
  return [{ id: "written", label: words.written(iterations), values, status: words.fromLog }];
}

interface FoldProps {
  title: (rows: number) => string;
  methods: readonly string[];
  rows: readonly CardRow[];
}

function Fold({ title, methods, rows }: FoldProps) {
  if (rows.length === 0) return null;
  const label = title(rows.length);
  return (
    <details>
      <summary>{label}</summary>
      <FairnessTable label={label} methods={methods} rows={rows} />
    </details>
  );
}

interface TableProps {
  label: string;
  methods: readonly string[];
  rows: readonly CardRow[];
  /** Whether a column says which conditions are equal. */
  hasStatus?: boolean;
}

function FairnessTable({ label, methods, rows, hasStatus = false }: TableProps) {
  if (methods.length === 0) return null;
  const columns: ShortColumn<CardRow>[] = [
    [words.condition, (row) => row.label, "name"],
    ...methods.map((name): ShortColumn<CardRow> => [
      titleOf(name),
      ({ values }) => values[name] ?? words.none,
    ]),
  ];
  if (hasStatus) columns.push([words.status.equal, (row) => row.status]);
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      rowProps={({ id }) => ({ "data-row": id })}
    />
  );
}
