/**
 * Converts files of other programs to the lines of a recording. Nothing in them is trusted or
 * executed.
 */
import { append } from "../../numeric/lists.ts";
import { runWhole, type Sliced } from "../../numeric/sliced.ts";
import { agentLightning } from "./agentLightning.ts";
import { areal } from "./areal.ts";
import {
  itemsOfFile,
  type Findings,
  type ForeignFile,
  type Format,
  type FormatReader,
  type ShownPart,
} from "./foreign.ts";
import { formatTitles, type FormatTitle } from "./formatTitles.ts";
import { inspect } from "./inspect.ts";
import type { PlacedItem } from "./items.ts";
import { mappedRollouts, messageRollouts } from "./messageRollouts.ts";
import { loggedMetrics } from "./loggedMetrics.ts";
import { primeRl } from "./primeRl.ts";
import { ragen } from "./ragen.ts";
import { MOST_PLACES, RefusedError } from "./refused.ts";
import { rllm } from "./rllm.ts";
import { hasConversation, mapFault, rowFault, tableRows } from "./rows.ts";
import type { ImportChoices, LeftOpen, RowMap } from "./choices.ts";
import { isRecord } from "../../spec/jsonText.ts";
import { rolloutLines } from "./rolloutLines.ts";
import { RunWriter } from "./runWriter.ts";
import { skyrl } from "./skyrl.ts";
import { slime } from "./slime.ts";
import { mayBeOne, sourcesOf, type FileSource } from "./sources.ts";
import { tables } from "./tables.ts";
import type { TellingPlace } from "./telling.ts";
import { tinker } from "./tinker.ts";
import { unipo } from "./unipo.ts";
import { digest, isOwnEvent, type Fields } from "./values.ts";
import { verifiers } from "./verifiers.ts";
import { verl } from "./verl.ts";
import { verlTraces } from "./verlTraces.ts";
import { words } from "./words.ts";
import { unwrap } from "./wrapped.ts";

const formats: Readonly<Record<FormatTitle, Format>> = {
  "Turnbook rollouts": rolloutLines,
  verl,
  "verl traces": verlTraces,
  "prime-rl": primeRl,
  verifiers,
  RAGEN: ragen,
  UNIPO: unipo,
  SkyRL: skyrl,
  AReaL: areal,
  rLLM: rllm,
  Tinker: tinker,
  slime,
  "Agent Lightning": agentLightning,
  Inspect: inspect,
  tables,
  "messages with rewards": messageRollouts,
  metrics: loggedMetrics,
};

export interface Translation extends Taken {
  /** The program that wrote the files. */
  title: string;
  /** Lines of a recording. */
  lines: Iterable<string>;
  /** Fields that none of its episodes had, in words. */
  absent: string[];
  /** Where to look first; null if there are no episodes. */
  telling: TellingPlace | null;
  open: LeftOpen;
  /** Information for readers of the panels; complete once the lines have been read. */
  notes: () => string[];
  /** Problems and gaps in the files; also complete then. */
  warnings: () => string[];
  /** How many episodes are shown; null: all. Also complete then. */
  part: () => ShownPart | null;
}

/** What reading found besides episodes. */
interface Taken {
  /** Number of values that are not of the format. */
  refused: number;
  /** Positions of the first of them, and what is wrong. */
  refusedAt: string[];
  /** Numbers that are NaN or infinite in values of the format, and the lines of the first of them. */
  notFinite: number;
  notFiniteAt: string[];
}

/** @throws RefusedError if they cannot be shown. */
export function translate(
  files: readonly ForeignFile[],
  choices: ImportChoices = {},
  writer = new RunWriter(undefined, choices),
): Translation {
  return runWhole(translateSliced(files, choices, writer));
}

/** The same, which can be interrupted between two values. */
export function* translateSliced(
  files: readonly ForeignFile[],
  choices: ImportChoices,
  writer: RunWriter,
): Sliced<Translation> {
  const { titles, ...taken } = yield* readSliced(writer, files, choices.map);
  return {
    title: titles.join(" and "),
    lines: writer.lines(),
    absent: writer.absent.map((field) => words.absent[field]),
    telling: writer.telling,
    open: writer.open,
    notes: () => writer.notes,
    warnings: () => writer.warnings,
    part: () => writer.part,
    ...taken,
  };
}

/** A file that is read: everything that its reader depends on besides its values. */
export interface ReadPlace {
  title: FormatTitle;
  /** Whether its rollouts are inside of other values. */
  isWrapped: boolean;
  /** Of all files of the format. */
  names: readonly string[];
  source: FileSource;
  file: ForeignFile;
}

/** Where episodes go, and whether any came. */
type Sink = Findings & {
  readonly isEmpty: boolean;
  /** Before a value is read, and with null after a file's last. @param isContext whether later values need it */
  at?(place: ReadPlace, item: PlacedItem | null, isContext: boolean): void;
};

/**
 * Reads every file, those of one program after those of another, since several programs in one
 * folder are several runs.
 * @param map names of columns; then every file has rows of those
 * @throws RefusedError if nothing in them can be read
 */
export function readInto(
  sink: Sink,
  files: readonly ForeignFile[],
  map: RowMap | null = null,
): Taken & { titles: FormatTitle[] } {
  return runWhole(readSliced(sink, files, map));
}

function* readSliced(
  sink: Sink,
  files: readonly ForeignFile[],
  map: RowMap | null = null,
): Sliced<Taken & { titles: FormatTitle[] }> {
  const mapped = map && mappedRollouts(map);
  const { byTitle, skipped, wrapped } = byFormat(filesInOrder(files), mapped, map);
  const taken: Taken = { refused: 0, refusedAt: [], notFinite: 0, notFiniteAt: [] };
  const faults: RefusedError[] = [];
  for (const [title, read] of byTitle) {
    const format = mapped ?? formats[title];
    const { single, doubled } = withoutDoubles(withoutRepeats(read, format, sink));
    const sources = sourcesOf(
      single.map(({ name }) => name),
      format.apart,
    );
    const names = single.map(({ name }) => name);
    const reader = format.reader(sink, names);
    const files = inSteps(single, sources, format).map(([file, source]) => ({
      title,
      names,
      source,
      file,
      isWrapped: wrapped.has(file),
    }));
    append(faults, yield* takeAll(files, format, reader, sink, taken));
    if (doubled.length > 0) sink.warn(words.sameFile(doubled));
    if (sources.some(({ run }) => run !== "")) sink.note(words.apart(runsOf(sources)));
  }
  const { refused, refusedAt } = taken;
  if (sink.isEmpty) {
    if (faults[0]) throw faults[0];
    const where = refused > 0 ? words.unread(refused, refusedAt) : "";
    throw new RefusedError(words.refused.nothing, where);
  }
  if (skipped.length > 0) sink.warn(words.skipped(skipped));
  return { titles: [...byTitle.keys()], ...taken };
}

/** Reads some files, or parts of them, of one format again, as `readInto` has read them. */
export function readAgainInto(
  sink: Sink,
  files: readonly ReadPlace[],
  map: RowMap | null = null,
): void {
  const [first] = files;
  if (!first) return;
  const format = map ? mappedRollouts(map) : formats[first.title];
  const taken: Taken = { refused: 0, refusedAt: [], notFinite: 0, notFiniteAt: [] };
  runWhole(takeAll(files, format, format.reader(sink, first.names), sink, taken));
}

/** The suffix of each run's name, with the first of its files. */
function runsOf(sources: readonly FileSource[]): string[] {
  const runs = new Map<string, string>();
  for (const { run, name } of sources) if (!runs.has(run)) runs.set(run, name);
  return [...runs].map(([run, name]) => words.run(run, name));
}

function withoutRepeats(files: readonly ForeignFile[], { repeats }: Format, sink: Sink) {
  const names = files.map(({ name }) => name);
  const left = files.filter(({ name }) => repeats?.(name, names) !== true);
  const repeated = files.filter((file) => !left.includes(file));
  if (repeated.length > 0) sink.warn(words.repeats(repeated.map(({ name }) => name)));
  return left;
}

/**
 * The same file selected twice counts once; identical files of two steps, or of training and
 * validation, both count. The copy stays that lies among the most others.
 */
function withoutDoubles(files: readonly ForeignFile[]) {
  const folderOf = ({ name }: ForeignFile) => name.replace(/[^/\\]*$/, "");
  const inFolder = new Map<string, Set<string>>();
  for (const file of files)
    inFolder.set(folderOf(file), (inFolder.get(folderOf(file)) ?? new Set()).add(file.name));
  const beside = (file: ForeignFile) => inFolder.get(folderOf(file))!.size;
  const doubled: string[] = [];
  const byContent = new Map<string, ForeignFile[]>();
  const mayBeDoubled = (file: ForeignFile) =>
    files.some((other) => other !== file && mayBeOne(other.name, file.name));
  for (const file of [...files].sort((a, b) => beside(b) - beside(a))) {
    const content = mayBeDoubled(file) ? contentOf(file) : file.name;
    const alike = byContent.get(content) ?? [];
    byContent.set(content, alike);
    const first = alike.find(({ name }) => mayBeOne(name, file.name));
    if (first) doubled.push(words.sameAs(file.name, first.name));
    else alike.push(file);
  }
  const single = new Set([...byContent.values()].flat());
  return { single: files.filter((file) => single.has(file)), doubled };
}

/** The same for files with the same values, however they are packed. */
function contentOf(file: ForeignFile): string {
  let content = "";
  try {
    for (const { value } of itemsOfFile(file)) content = digest(content + JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
  return content;
}

/** Files of a step one after another, if their values belong together. */
function inSteps(files: readonly ForeignFile[], sources: readonly FileSource[], { joins }: Format) {
  const all = files.map((file, i) => [file, sources[i]!] as const);
  const at = ({ step }: FileSource) => step ?? -1;
  return joins ? all.sort(([, a], [, b]) => at(a) - at(b)) : all;
}

/**
 * Passes every value to the reader; counts what it refused, and numbers in it that were not finite.
 * Returns why files could not be read to their end.
 */
function* takeAll(
  files: readonly ReadPlace[],
  format: Format,
  reader: FormatReader,
  sink: Sink,
  taken: Taken,
): Sliced<RefusedError[]> {
  const faults: RefusedError[] = [];
  for (const [i, place] of files.entries()) {
    const { file, source } = place;
    const name = files.length > 1 ? file.name : null;
    try {
      yield* takeFile(itemsTold(place, format, sink), source, name, reader, taken);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      faults.push(error);
      sink.warn(words.brokenOff(file.name, error.message));
    }
    reader.endFile?.();
    if (files[i + 1]?.source.step !== source.step) reader.endStep?.();
  }
  return faults;
}

function* itemsTold(place: ReadPlace, format: Format, sink: Sink): Generator<PlacedItem> {
  const { file, isWrapped } = place;
  for (const item of itemsOfFile(file)) {
    sink.at?.(place, item, format.context?.(item.value) === true);
    if (isWrapped) yield* unwrapped(item, format, sink);
    else yield item;
  }
  sink.at?.(place, null, false);
}

/** The rollouts in a value; the value itself if there are none. */
function* unwrapped(item: PlacedItem, { fits }: Format, sink: Sink): Generator<PlacedItem> {
  const { rows, leftOut } = unwrap(item.value, fits);
  if (rows.length === 0) return yield item;
  for (const [i, value] of rows.entries()) yield { ...item, value, ...(i > 0 && { notFinite: 0 }) };
  if (leftOut.length > 0) sink.warn(words.evaluationBeside(leftOut));
}

function* takeFile(
  items: Iterable<PlacedItem>,
  source: FileSource,
  name: string | null,
  reader: FormatReader,
  taken: Taken,
): Sliced<void> {
  const note = (places: string[], text: string) => places.length < MOST_PLACES && places.push(text);
  // In a list they are counted with its first entry, which may be refused.
  let found = 0;
  for (const placed of items) {
    yield;
    const place = placeOf(placed, name);
    found = placed.notFinite + (placed.kind === "entry" ? found : 0);
    const answer = reader.take(placed.value, source);
    if (answer === true) {
      taken.notFinite += found;
      if (found > 0 && placed.kind === "line") note(taken.notFiniteAt, place);
      found = 0;
      continue;
    }
    taken.refused++;
    const why =
      answer || placed.problem || (placed.value === undefined ? words.noJson : words.noEpisode);
    note(taken.refusedAt, `${place} (${why})`);
  }
}

/** So that 10.jsonl comes after 9.jsonl. */
const byNumber = new Intl.Collator("en", { numeric: true });

export function filesInOrder<T extends { name: string }>(files: readonly T[]): T[] {
  return [...files].sort((a, b) => byNumber.compare(a.name, b.name));
}

/**
 * The files of each format present, and the names of others: settings are often beside logs, and collections of what logs
 * have, which count where no file is a log itself.
 */
function byFormat(files: readonly ForeignFile[], mapped: Format | null, map: RowMap | null) {
  const found = new Map(files.map((file) => [file, formatOfFile(file, mapped)]));
  const byTitle = new Map<FormatTitle, ForeignFile[]>();
  for (const title of formatTitles) {
    const own = files.filter((file) => found.get(file)?.title === title);
    const logs = own.filter((file) => !found.get(file)!.isWrapped);
    if (own.length > 0) byTitle.set(title, logs.length > 0 ? logs : own);
  }
  if (byTitle.size === 0) {
    const { rows, columns } = rowsAmong(files);
    if (files.some(isOwnLog)) throw new RefusedError(words.refused.own);
    if (map) throw new RefusedError(words.refused.unmapped, mapFault(rows[0], map) ?? "", columns);
    const found = files.map(whatIsIn).find((one) => one !== "");
    if (found === undefined) throw new RefusedError(words.refused.empty);
    throw new RefusedError(words.refused.unknown(formatTitles), found, columns);
  }
  const used = new Set([...byTitle.values()].flat());
  const skipped = files.filter((file) => !used.has(file)).map(({ name }) => name);
  const wrapped = new Set(files.filter((file) => found.get(file)?.isWrapped));
  return { byTitle, skipped, wrapped };
}

/** Whether it is a run's log of our own, which is read elsewhere. */
const isOwnLog = (file: ForeignFile) => firstRows(file).some(isOwnEvent);

/** Columns that are offered to be named. */
const MOST_COLUMNS = 200;

/** The first two rows of the first file that has several of at least two columns; settings have one. */
function rowsAmong(files: readonly ForeignFile[]) {
  for (const file of files) {
    const rows = firstRows(file);
    const columns = Object.keys(rows[0] ?? {});
    if (rows.length > 1 && columns.length > 1)
      return { rows, columns: columns.slice(0, MOST_COLUMNS) };
  }
  return { rows: [], columns: [] };
}

function firstRows(file: ForeignFile): Fields[] {
  const rows: Fields[] = [];
  const inner: Fields[] = [];
  let tried = 0;
  try {
    for (const { value } of itemsOfFile(file)) {
      append(rows, tableRows(value) ?? (isRecord(value) ? [value] : []));
      if (inner.length < 2 && isRecord(value))
        append(inner, unwrap(Object.values(value), hasCells).rows);
      if (rows.length > 1 || ++tried === TRIED) break;
    }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
  return (rows.length > 1 ? rows : inner).slice(0, 2);
}

const hasCells = (value: unknown) => isRecord(value) && Object.keys(value).length > 1;

/** The beginning of a file of unknown format. @throws RefusedError if it is damaged */
function whatIsIn(file: ForeignFile): string {
  for (const placed of itemsOfFile(file))
    return words.found(placeOf(placed, file.name), placed.value, rowFault(placed.value));
  return "";
}

/** Whether a file has a known format of another program. */
export function hasKnownFormat(file: ForeignFile): boolean {
  return formatOfFile(file, null) !== undefined;
}

/** Number of values of no known format in a file before reading gives up; lines that are no JSON are passed over. */
const TRIED = 1000;

function formatOfFile(
  file: ForeignFile,
  mapped: Format | null,
): Pick<ReadPlace, "title" | "isWrapped"> | undefined {
  const titleOf = (value: unknown) =>
    mapped
      ? mapped.fits(value) && "messages with rewards"
      : formatTitles.find((title) => formats[title].fits(value));
  let tried = 0;
  try {
    for (const { value } of itemsOfFile(file)) {
      if (value === undefined) continue;
      if (isRecord(value) && isOwnEvent(value)) return undefined;
      const own = titleOf(value);
      if (own) return { title: own, isWrapped: false };
      // Numbers beside lists or texts of a conversation are a rollout's own, and no log of metrics.
      const isOwn =
        hasConversation(value) || (isRecord(value) && Object.values(value).some(Array.isArray));
      const isAllowed = (title: unknown) => title !== "metrics" || !isOwn;
      const titleWithin = (one: unknown) =>
        [titleOf(one)].find((title) => title && isAllowed(title));
      const [inner] = unwrap(value, (one) => !!titleWithin(one)).rows;
      if (inner) return { title: titleOf(inner) as FormatTitle, isWrapped: true };
      if (++tried === TRIED) return undefined;
    }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
  return undefined;
}

function placeOf({ kind, number }: PlacedItem, file: string | null): string {
  return words.place(kind, number, file);
}
