/** Finds an episode: a table with sorting, filters and search, whose rows move the cursor of all panels. */
import type { Sliced } from "../../numeric/sliced.ts";
import type { Fork } from "../../store/forkTypes.ts";
import type { ResolvedChoice, TurnChoice } from "../../store/turnChoice.ts";
import type { FigureChoice } from "../choices.ts";
import {
  figurePanel,
  textBlock,
  type Block,
  type ChoicesBlock,
  type Figure,
  type FigureInput,
  type GridBlock,
  type GridCell,
  type GridHead,
  type GridRow,
} from "../figure.ts";
import type { EpisodeFacts } from "./facts.ts";
import type { Hit } from "./find.ts";
import { episodes } from "./manifest.ts";
import {
  beside,
  COLUMNS,
  filtered,
  orderAfter,
  rowIndexOf,
  sorted,
  turnOf,
  unknownColumns,
  wholeTable,
  type Order,
  type SortColumn,
} from "./order.ts";
import { scanFor, type SearchHit } from "./scan.ts";
import { words } from "./words.ts";

type Input = FigureInput<(typeof episodes)["settings"]>;

export const episodesPanel = figurePanel({
  panel: episodes,
  reads: {
    needs: ({ view, at, set, held }) => [
      ...[view, at.algorithm, set.find, set.scope, held[STOPPED]],
      ...(set.scope === "this" ? [at.iteration, at.fork] : []),
    ],
    work: function* (seen, show): Sliced<SearchHit> {
      const { scan, iterations, isStopped } = wanted(seen);
      const found = () => scan.found(iterations);
      if (isStopped) return found();
      for (const _ of scan.work(iterations)) {
        show(found);
        yield;
      }
      return found();
    },
  },
  figure: (seen, found: SearchHit): Figure => {
    const table = tableOf(seen, found);
    const { rows, fork } = table;
    const unknown = unknownColumns(found.rows);
    return [
      choices(seen, table),
      ...(fork ? [textBlock(ofFork(fork), "note", "episodes-fork")] : []),
      count(seen, table),
      ...(rows.length > 0 ? [grid(seen, table)] : []),
      ...(unknown.length > 0
        ? [
            textBlock(
              words.unknownColumns(unknown.map((one) => COLUMNS[one].name)),
              "note",
              "episodes-unknown",
            ),
          ]
        : []),
      textBlock(`${words.unknownLast} ${words.keys}`, "prose"),
      {
        kind: "meanings",
        title: words.columnsTitle,
        items: [...Object.values(words.columns), words.moves],
      },
    ];
  },
});

/** Name of the choice that stops a search: it has the key of the stopped one. */
const STOPPED = "stopped";

/** The episodes that are searched. */
function wanted({ view: { log }, at, set, held }: Pick<Input, "view" | "at" | "set" | "held">) {
  const isHere = set.scope === "this";
  const fork = isHere ? at.fork : null;
  const iterations = isHere ? [at.iteration] : log.iterationsWithEpisodes(at.algorithm);
  const key = `${at.algorithm} ${set.find}`;
  return {
    fork,
    iterations,
    key,
    scan: scanFor(log, at.algorithm, set.find, fork),
    // One iteration is read at once, unless it has very many episodes.
    isStopped: iterations.length > 1 && held[STOPPED] === key,
  };
}

/** What is found so far, filtered and sorted. */
function tableOf(seen: Input, found: SearchHit) {
  const { at, set } = seen;
  const asked = wanted(seen);
  const order = { column: set.sort, direction: set.direction };
  const rows = arranged(found, order, set);
  const here = rowIndexOf(rows, asked.fork ? { ...at, episode: at.branch } : at);
  return { ...asked, found, order, rows, here };
}

type EpisodeTable = ReturnType<typeof tableOf>;

const last = new WeakMap<SearchHit, { key: string; rows: EpisodeFacts[] }>();

/** Sorted once, however often the cursor moves. */
function arranged(
  found: SearchHit,
  order: Order,
  { outcome, clipped }: Input["set"],
): EpisodeFacts[] {
  const key = [...Object.values(order), outcome, clipped].join();
  const known = last.get(found);
  if (known?.key === key) return known.rows;
  const rows = sorted(filtered(found.rows, { outcome, clipped }), order);
  last.set(found, { key, rows });
  return rows;
}

/** To the turn of the row that the search or the sorted column refers to; the newest iteration is still followed. */
function placeOf(
  row: EpisodeFacts,
  { order, fork }: EpisodeTable,
  at: ResolvedChoice,
): Partial<TurnChoice> {
  const { episode, iteration } = row;
  // Before that turn all continuations are the same.
  const turn = turnOf(row, order.column, fork?.question.turn);
  if (fork) return { turn, token: null, fork, branch: episode };
  const isHere = iteration === at.iteration;
  return { episode, turn, token: null, fork: null, ...(!isHere && { iteration }) };
}

type OptionNames = Readonly<Record<string, string>>;

function select(id: string, label: string, value: string, names: OptionNames): FigureChoice {
  const options = Object.entries(names).map(([value, name]) => ({ value, name }));
  return { id, label, look: "select", value, options };
}

function choices({ at, set }: Input, table: EpisodeTable): ChoicesBlock {
  const { rows, here } = table;
  const isEmpty = rows.length === 0;
  const step = (by: 1 | -1) => ({ to: isEmpty ? {} : placeOf(beside(rows, here, by), table, at) });
  const ofFork = at.fork && { this: words.scopeOfFork(at.fork.number) };
  const search = {
    hint: words.searchHint,
    button: words.find,
    again: isEmpty ? null : step(1),
  };
  return {
    kind: "choices",
    brief: true,
    choices: [
      {
        id: "find",
        label: words.search,
        look: "search",
        value: set.find,
        options: [],
        search,
        testId: "episodes-search",
      },
      select("scope", words.scope, set.scope, { ...words.scopes, ...ofFork }),
      select("outcome", words.outcomeFilter, set.outcome, words.outcomes),
      {
        id: "clipped",
        label: words.clippedOnly,
        look: "check",
        value: set.clipped ? "on" : "off",
        options: [
          { value: "on", name: "" },
          { value: "off", name: "" },
        ],
      },
    ],
    go: {
      name: words.table,
      buttons: [
        { name: words.previous, action: "previousFound", disabled: isEmpty, ...step(-1) },
        { name: words.next, action: "nextFound", disabled: isEmpty, ...step(1) },
      ],
    },
  };
}

function ofFork({ number, answer, released, question }: Fork): string {
  const said = words.ofFork(number, answer.kept.length, answer.branches, released);
  return `${said} ${words.sameUntil(question.turn)}`;
}

const ALL = { outcome: "any", clipped: "off", find: "" };

/** The number of episodes, the progress of the search, and a button to stop it. */
function count({ set }: Input, { iterations, found, rows, isStopped, key }: EpisodeTable): Block {
  const of = iterations.length;
  const isOver = found.done === of;
  const isFiltered = set.outcome !== "any" || set.clipped;
  const result = words.found(rows.length, found.episodes, set.find, isFiltered);
  const stopped = `${words.stopped(found.done, of)} ${result}`;
  const stop = isStopped
    ? { name: words.goOn, choose: { [STOPPED]: "" } }
    : { name: words.stop, choose: { [STOPPED]: key } };
  const isNothing = rows.length === 0 && found.episodes > 0;
  return {
    ...textBlock(isOver ? result : isStopped ? stopped : words.looking(of)),
    id: "episodes-count",
    progress: { name: words.progress, done: found.done, of },
    go: isOver ? (isNothing ? [{ name: words.reset, choose: ALL }] : []) : [stop],
  };
}

function grid({ at, set }: Input, table: EpisodeTable): GridBlock {
  const { rows, fork, here, order, iterations } = table;
  const hasMoves = rows.some(({ moves }) => moves !== null);
  const isSearched = set.find !== "";
  const sortable = <T extends GridHead>(head: T, id: SortColumn): T => {
    const { column, direction } = orderAfter(order, id);
    const by = { choose: { sort: column, direction } };
    return { ...head, sort: { id, by, now: order.column === id ? order.direction : null } };
  };
  const own = Object.entries(COLUMNS).map(([id, column]) => ({ id: id as SortColumn, ...column }));
  return {
    kind: "grid",
    id: "episodes-table",
    label: words.table,
    pages: [...Object.values(set), fork?.number].join(),
    rowHead: sortable({ ...words.columns.episode, width: 2 }, "episode"),
    columns: [
      ...(hasMoves ? [{ ...words.moves, look: "code", width: "rest" } as const] : []),
      ...(isSearched ? [{ name: words.foundColumn, look: "long" } as const] : []),
      ...own.map((column) => sortable(column, column.id)),
    ],
    count: rows.length,
    row: (i): GridRow => {
      const row = rows[i]!;
      return {
        id: `${row.iteration} ${row.episode}`,
        ...nameOf(row, fork !== null, iterations.length > 1),
        cells: [
          ...(hasMoves ? [row.moves] : []),
          ...(isSearched ? [hitCell(row.hit)] : []),
          ...own.map(({ cell }) => cell(row)),
        ],
      };
    },
    current: here,
    go: (i) => placeOf(rows[i]!, table, at),
    whole: () => wholeTable(rows),
  };
}

function nameOf({ iteration, episode }: EpisodeFacts, isForked: boolean, isOfMany: boolean) {
  if (isForked) return { name: words.continuation(episode) };
  if (isOfMany) return { name: words.place(iteration, episode) };
  return { word: words.episode, name: String(episode + 1) };
}

function hitCell(hit: Hit | null): GridCell {
  if (!hit) return "";
  const { turn, where, before, match, after } = hit;
  return {
    lead: `${words.inTurn(turn)}, ${words.where[where]}:`,
    text: before,
    found: [match, after],
  };
}
