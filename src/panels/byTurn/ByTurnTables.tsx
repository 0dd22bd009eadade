/** The numbers behind the maps: turn by turn at the cursor's iteration, and all of them. */
import { formatPercent, formatSigned } from "../../numeric/format.ts";
import { bandOf } from "../../objective/clipBand.ts";
import type { TurnMap, TurnMeans } from "../../reading/byTurn.ts";
import { lastUse } from "../../reading/lastUse.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import { runConfig } from "../../reading/runConfig.ts";
import { titleOf } from "../../reading/titles.ts";
import { addUp, cutFraction, readSteps, type TurnCuts } from "../../reading/updateSteps.ts";
import { csvOf, type CsvCell } from "../../ui/csv.ts";
import { TextTable } from "../../ui/DataTable.tsx";
import { download } from "../../ui/download.ts";
import { Folded } from "../../ui/Folded.tsx";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

interface ByTurnTablesProps {
  view: RunView;
  maps: readonly TurnMap[];
  /** Where the cursor stands. */
  iteration: number;
}

/** Rows of a table that may have thousands. */
const MOST_ROWS = 500;

export function ByTurnTables({ view, maps, iteration }: ByTurnTablesProps) {
  const save = () =>
    download(csvOf(words.heads.all, maps.flatMap(allRows)), "turns.csv", "text/csv;charset=utf-8");
  return (
    <>
      <Folded
        className="chart-data"
        title={words.here(iteration)}
        titleTestId="byTurn-here-table-open"
      >
        <HereTable view={view} maps={maps} iteration={iteration} />
      </Folded>
      <Folded className="chart-data" title={words.all} titleTestId="byTurn-all-table-open">
        <AllTable maps={maps} />
      </Folded>
      <Button className="heat-save" onClick={save}>
        {words.save}
      </Button>
    </>
  );
}

/** Made only when it is looked at: it reads what the updates of an iteration cut. */
function HereTable({ view, maps, iteration }: ByTurnTablesProps) {
  return (
    <>
      <p>{words.cutNote}</p>
      <TextTable
        label={words.here(iteration)}
        testId="byTurn-here-table"
        head={words.heads.here}
        rows={maps.flatMap((map) => hereRows(view, map, iteration))}
      />
    </>
  );
}

function AllTable({ maps }: Pick<ByTurnTablesProps, "maps">) {
  const rows = maps.flatMap(allRows);
  return (
    <>
      {rows.length > MOST_ROWS && <p>{words.rowsCapped(MOST_ROWS, rows.length)}</p>}
      <TextTable
        label={words.all}
        testId="byTurn-all-table"
        head={words.heads.all}
        rows={rows.slice(-MOST_ROWS).map((row) => row.map(cellText))}
        whole={() => ({ head: words.heads.all, rows })}
      />
    </>
  );
}

/** In full precision, as a file has them. */
function allRows({ algorithm, columns }: TurnMap): CsvCell[][] {
  return columns.flatMap(({ iteration, turns }) =>
    turns.map((means, h) => [
      ...[titleOf(algorithm), iteration, h + 1, means.turns, means.value, means.advantage],
      ...[means.clip, means.success, means.explained],
    ]),
  );
}

function cellText(cell: CsvCell, column: number): string {
  if (cell === null) return words.none;
  if (typeof cell === "string" || column < 4) return String(cell);
  return column < 6 ? formatSigned(cell) : shareText(cell);
}

const shareText = (value: number | null) =>
  value === null || !Number.isFinite(value)
    ? words.none
    : value < -1
      ? words.below
      : formatPercent(value);
const signedText = (value: number | null) => (value === null ? words.none : formatSigned(value));

/** Turn by turn in one iteration: means, what the clip cut in its updates, and what the critic explains. */
function hereRows(view: RunView, { algorithm, columns }: TurnMap, iteration: number): string[][] {
  const turns = columns.find((column) => column.iteration === iteration)?.turns ?? [];
  const cuts = cutsOf(view, algorithm, iteration);
  return turns.map((means, h) => [
    ...[titleOf(algorithm), String(h + 1), String(means.turns)],
    ...[signedText(means.value), signedText(means.advantage), shareText(means.success)],
    ...cutCells(cuts[h]),
    ...[metricText(view, algorithm, iteration, h), recordedText(means)],
  ]);
}

function cutCells(cuts: TurnCuts | undefined): string[] {
  if (!cuts || cuts.uses === 0) return Array<string>(4).fill(words.none);
  return [String(cuts.uses), String(cuts.high), String(cuts.low), shareText(cutFraction(cuts))];
}

/** What the iteration's steps cut; of a log without steps, what was cut at each turn's last use. */
function cutsOf({ log }: RunView, algorithm: string, iteration: number): readonly TurnCuts[] {
  const { steps } = readSteps(log.updates(algorithm, iteration));
  if (steps.length > 0) return addUp(steps).byTurn;
  const config = runConfig(log.start?.spec, algorithm);
  const last = lastUse(log.episodes(algorithm, iteration), config && bandOf(config));
  return last ? addUp([last]).byTurn : [];
}

function metricText({ log }: RunView, algorithm: string, iteration: number, h: number): string {
  const { x, y } = log.series(algorithm, `critic/turn_vf_explained_var/${h + 1}`);
  return shareText(y[x.lastIndexOf(iteration)] ?? null);
}

const recordedText = ({ recordedExplained }: TurnMeans) => shareText(recordedExplained);
