/** Finds an episode: a table with sorting, filters and search, whose rows move the cursor of all panels. */
import { useCallback, useMemo, useState, useEffect } from "react";
import { useRedraw } from "../../charts/redrawQueue.ts";
import type { Fork } from "../../store/forkTypes.ts";
import { useExperiment } from "../../store/hooks.ts";
import { resolveChoice, type ResolvedChoice } from "../../store/turnChoice.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { useCursor } from "../shared/useCursor.ts";
import { Meanings } from "../../ui/Meanings.tsx";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { episodes } from "./manifest.ts";
import { EpisodeTable, MOST_ROWS, type GoToRow } from "./EpisodeTable.tsx";
import type { EpisodeFacts } from "./facts.ts";
import { FindBar } from "./FindBar.tsx";
import {
  beside,
  filtered,
  rowIndexOf,
  sorted,
  turnOf,
  unknownColumns,
  type SortColumn,
} from "./order.ts";
import { useSettings, type EpisodeSettings } from "./useSettings.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";
import type { RunLog } from "../../reading/log/runLog.ts";
import { Scan, type SearchHit } from "./scan.ts";

export function EpisodesPanel() {
  const { view, at } = useCursor();
  const settings = useSettings();
  const { algorithm } = at;
  const { scope, query } = settings;
  const only = scope === "this" ? at.iteration : null;
  const fork = scope === "this" ? at.fork : null;
  const newest = useMemo<Request>(() => {
    const { log } = view;
    const iterations = only === null ? log.iterationsWithEpisodes(algorithm) : [only];
    return { log, algorithm, iterations, query, fork };
  }, [view, algorithm, only, query, fork]);
  const { ref, shown } = useRedraw(newest, view.log);
  return (
    <PanelFrame panel={episodes}>
      <div ref={ref}>
        {at.episodes.length === 0 ? (
          <NoEpisodes panel={episodes} />
        ) : (
          <Body request={shown} settings={settings} />
        )}
      </div>
    </PanelFrame>
  );
}

function Body({ request, settings }: { request: Request; settings: EpisodeSettings }) {
  const { at } = useCursor();
  const progress = useFound(request);
  // For the current results, not the current query.
  const fork = progress?.request.fork ?? null;
  const { column, direction, outcome, clipped, query, scope } = settings;
  const found = progress?.found;
  const rows = useMemo(
    () => sorted(filtered(found?.rows ?? [], { outcome, clipped }), { column, direction }),
    [found, outcome, clipped, column, direction],
  );
  const unknown = useMemo(() => unknownColumns(found?.rows ?? []), [found]);
  const here = useMemo(() => placeIn(rows, at, fork), [rows, at, fork]);
  const arrangement = [column, direction, outcome, clipped, query, scope, fork?.number].join();
  const part = useListPart({ here, count: rows.length, arrangement });
  const go = useGo(column, fork);
  const step = rows.length === 0 ? null : (by: 1 | -1) => go(beside(rows, here, by));
  return (
    <>
      <FindBar settings={settings} step={step} fork={at.fork} />
      {fork && (
        <p className="note" data-testid="episodes-fork">
          {sayFork(fork)} {words.sameUntil(fork.question.turn)}
        </p>
      )}
      {progress && <Count progress={progress} shown={rows.length} settings={settings} />}
      {rows.length > 0 && (
        <EpisodeTable
          here={here}
          go={go}
          from={part.from}
          order={{ column, direction }}
          sortBy={settings.sortBy}
          all={rows}
          rows={rows.slice(part.from, part.to)}
          kind={fork ? "fork" : progress!.request.iterations.length > 1 ? "several" : "one"}
          searched={progress!.request.query !== ""}
        />
      )}
      <Parts {...part} count={rows.length} />
      {unknown.length > 0 && (
        <p className="note" data-testid="episodes-unknown">
          {words.unknownColumns(unknown.map((one) => words.columns[one].name))}
        </p>
      )}
      <p className="note prose-note">
        {words.unknownLast} {words.keys}
      </p>
      <Meanings
        title={words.columnsTitle}
        meanings={[...Object.values(words.columns), words.moves]}
      />
    </>
  );
}

interface CountProps {
  progress: Progress;
  /** Rows that pass the filters. */
  shown: number;
  settings: EpisodeSettings;
}

/** The number of episodes, the progress of the search, and a button to stop it. */
function Count({ progress, shown, settings }: CountProps) {
  const { request, found, over, stopped, stop, goOn } = progress;
  const of = request.iterations.length;
  const isFiltered = settings.outcome !== "any" || settings.clipped;
  const result = words.found(shown, found.episodes, request.query, isFiltered);
  return (
    <div className="episodes-count">
      {/* Announced when it begins and when it ends, not in between. */}
      <p role="status" data-testid="episodes-count" data-over={over}>
        {over ? result : stopped ? `${words.stopped(found.done, of)} ${result}` : words.looking(of)}
      </p>
      {!over && (
        <>
          <progress max={of} value={found.done} aria-label={words.progress} />
          <span className="note">{words.done(found.done, of)}</span>
          <Button onClick={stopped ? goOn : stop}>{stopped ? words.goOn : words.stop}</Button>
        </>
      )}
      {over && shown === 0 && found.episodes > 0 && (
        <Button onClick={settings.showAll}>{words.reset}</Button>
      )}
    </div>
  );
}

function sayFork({ number, answer, released }: Fork): string {
  return words.ofFork(number, answer.kept.length, answer.branches, released);
}

/** Index of the fork's row whose episode the cursor is at; -1 if it is at none of them. */
function placeIn(rows: readonly EpisodeFacts[], at: ResolvedChoice, fork: Fork | null): number {
  if (fork === null) return rowIndexOf(rows, at);
  return at.fork === fork ? rowIndexOf(rows, { ...at, episode: at.branch }) : -1;
}

/** To the turn of the row that the search or the sorted column refers to; the newest iteration is still followed. */
function useGo(column: SortColumn, fork: Fork | null): GoToRow {
  const { store } = useExperiment();
  return useCallback(
    (row) =>
      store.setState(({ view: { log }, choice }) => {
        const isHere = resolveChoice(log, choice).iteration === row.iteration;
        const { episode, iteration } = row;
        // Before that turn all continuations are the same.
        const turn = turnOf(row, column, fork?.question.turn);
        if (fork) return { choice: { ...choice, turn, token: null, fork, branch: episode } };
        const place = { episode, turn, token: null, fork: null };
        return { choice: { ...choice, ...place, ...(!isHere && { iteration }) } };
      }),
    [store, column, fork],
  );
}

interface PartOptions {
  /** Row at the cursor; -1 if there is none. */
  here: number;
  count: number;
  /** Identifies order and filters: when it changes, the list starts at its first row. */
  arrangement: string;
}

/** Which part of many rows is drawn: the first, until the cursor or the reader moves to another. */
function useListPart({ here, count, arrangement }: PartOptions) {
  const [part, setPart] = useState({ first: 0, here, arrangement });
  if (part.arrangement !== arrangement) setPart({ first: 0, here, arrangement });
  else if (part.here !== here) setPart({ first: partOf(Math.max(here, 0)), here, arrangement });
  const from = Math.min(part.first, partOf(Math.max(0, count - 1)));
  const show = (first: number) => setPart({ first, here, arrangement });
  return { from, to: Math.min(from + MOST_ROWS, count), show };
}

function partOf(place: number): number {
  return Math.floor(place / MOST_ROWS) * MOST_ROWS;
}

interface PartsProps extends ReturnType<typeof useListPart> {
  count: number;
}

function Parts({ from, to, count, show }: PartsProps) {
  if (count <= MOST_ROWS) return null;
  const button = (name: string, first: number) => {
    const isThere = first >= 0 && first < count;
    return (
      <Button aria-disabled={!isThere} onClick={() => isThere && show(first)}>
        {name}
      </Button>
    );
  };
  return (
    <p className="episodes-parts" data-testid="episodes-part">
      {words.part(from, to, count)} {button(words.earlier, from - MOST_ROWS)}{" "}
      {button(words.later, from + MOST_ROWS)}
    </p>
  );
}

// The results of a scan so far, while it continues in slices.

/** Milliseconds of work between two yields to the page. */
const SLICE = 8;
/** Milliseconds between two updates of the results. */
const PUBLISH = 500;

interface Request {
  log: RunLog;
  algorithm: string;
  iterations: readonly number[];
  query: string;
  /** The fork whose continuations replace the recorded episodes. */
  fork: Fork | null;
}

interface FoundSoFar {
  request: Request;
  found: SearchHit;
  over: boolean;
}

interface Progress extends FoundSoFar {
  stopped: boolean;
  stop: () => void;
  goOn: () => void;
}

/** Null before anything has been read. */
function useFound(request: Request): Progress | null {
  const { log, algorithm, iterations, query, fork } = request;
  const scan = useMemo(() => new Scan(log, algorithm, query, fork), [log, algorithm, query, fork]);
  const [shown, setShown] = useState<FoundSoFar | null>(null);
  const [stoppedScan, setStopped] = useState<Scan | null>(null);
  // One iteration is done at once.
  const stopped = stoppedScan === scan && iterations.length > 1;
  useEffect(() => {
    if (stopped) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let published = -Infinity;
    const step = () => {
      const end = performance.now() + SLICE;
      const over = scan.work(iterations, () => performance.now() >= end);
      if (over || performance.now() - published > PUBLISH) {
        published = performance.now();
        setShown({ request, found: scan.found(iterations), over });
      }
      if (!over) timer = setTimeout(step);
    };
    step();
    return () => clearTimeout(timer);
  }, [scan, iterations, request, stopped]);
  return shown && { ...shown, stopped, stop: () => setStopped(scan), goOn: () => setStopped(null) };
}
