/**
 * Files of other programs that are too large to be held: one pass finds where the values of each step are, and the few
 * numbers that curves need; a step's episodes are read again from there. Lines are found by their bytes; of a file that
 * is one value, or packed as a whole, all is read again.
 */
import { openPacked } from "../../interchange/container/open.ts";
import type { ImportChoices } from "../../interchange/import/choices.ts";
import type { ForeignEpisode, ItemFile } from "../../interchange/import/foreign.ts";
import { placedValues, type PlacedItem } from "../../interchange/import/items.ts";
import { kindOfBinary } from "../../interchange/import/refused.ts";
import { utf16In } from "../../interchange/import/utf16.ts";
import { RunWriter } from "../../interchange/import/runWriter.ts";
import { readAgainInto, type ReadPlace } from "../../interchange/import/translate.ts";
import { append } from "../../numeric/lists.ts";
import type { IndexedEvent, IndexedStep, StepPart } from "./recordingIndex.ts";
import { jsonOrNothing } from "../../spec/jsonText.ts";
import { readDetails } from "./episodeSchema.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { readEvent } from "./recordingSchema.ts";

/** A file whose bytes are read where they are needed. */
export interface LargeFile {
  name: string;
  size: number;
  /** Its bytes from `start` to before `end`, in pieces, each until the next is asked for. */
  chunks: (start?: number, end?: number) => Iterable<Uint8Array>;
}

/** A file of values, and where it is. */
export interface OpenedValues extends Pick<StepPart, "at" | "entry" | "isPlain"> {
  file: ItemFile;
}

/** @throws RefusedError */
export async function openLarge({ name, chunks }: LargeFile, at: number): Promise<OpenedValues[]> {
  const files = await openPacked({ name, chunks });
  const [head = new Uint8Array(0)] = chunks(0, HEAD);
  const isPlain = kindOfBinary(head) === null && utf16In(head) === null;
  return files.map((file, entry) => ({ file, at, entry, isPlain }));
}

/** Bytes that tell how a file is packed. */
const HEAD = 64;

interface Span {
  place: ReadPlace;
  range: PlacedItem["range"] | null;
}

interface StepFound extends Pick<IndexedStep, "run" | "iteration"> {
  tasks: string[];
  parts: Map<ReadPlace, StepPart>;
  /** Up to which value its parts are known. */
  seen: number;
}

/** Takes what readers find, and notes where it was. */
export class StepIndex extends RunWriter {
  /** Called when the episodes of another step begin: those before are complete, if the files are in order. */
  onStep: () => void = () => {};
  readonly #opened: ReadonlyMap<unknown, OpenedValues>;
  readonly #steps = new Map<string, StepFound>();
  /** Values that all later steps of their format need. */
  #context: Span[] = [];
  /** Values that were read before and since the last episode: a reader may hold some of them. */
  #older: Span[] = [];
  #newer: Span[] = [];
  #current: Span | null = null;
  #emitted = false;
  #values = 0;
  #last: string | null = null;
  #title = "";

  constructor(opened: readonly OpenedValues[], choices: ImportChoices) {
    super(Infinity, choices, true);
    this.#opened = new Map(opened.map((one) => [one.file, one]));
  }

  at(place: ReadPlace, item: PlacedItem | null, isContext: boolean): void {
    const current = this.#current ? [this.#current] : [];
    if (!this.#emitted) append(this.#newer, current);
    // An episode that came while others were held: the rest of them comes later.
    else if (this.#newer.length > 0 && current.length > 0)
      [this.#older, this.#newer] = [[...this.#newer, ...current], []];
    else [this.#older, this.#newer] = [[], []];
    this.#title = place.title;
    const span = item && { place, range: item.range ?? null };
    this.#current = isContext ? null : span;
    if (isContext && span) this.#context.push(span);
    this.#emitted = false;
    this.#values++;
  }

  override episode(run: string, iteration: number, found: ForeignEpisode): void {
    const key = `${run} ${iteration}`;
    if (this.#last !== null && key !== this.#last) this.onStep();
    this.#last = key;
    const none = { tasks: [], parts: new Map<ReadPlace, StepPart>(), seen: -1 };
    const step: StepFound = this.#steps.get(key) ?? { run, iteration, ...none };
    this.#steps.set(key, step);
    if (step.seen !== this.#values) {
      const current = this.#current ? [this.#current] : [];
      for (const span of [...this.#context, ...this.#older, ...this.#newer, ...current])
        this.#addSpan(step, span);
      step.seen = this.#values;
    }
    step.tasks.push(found.task);
    this.#emitted = true;
    super.episode(run, iteration, found);
  }

  #addSpan({ parts }: StepFound, { place, range }: Span): void {
    const { file, ...rest } = place;
    let part = parts.get(place);
    if (!part) {
      const { at, entry, isPlain } = this.#opened.get(file)!;
      part = { at, entry, isPlain, place: rest, ranges: [] };
      parts.set(place, part);
    }
    if (!range) part.ranges = null;
    else if (part.ranges) addRange(part.ranges, range);
  }

  /** Of the file that is being read, or was read last. */
  get title(): string {
    return this.#title;
  }

  /** What a log has of each step, in order, and how its episodes are read. */
  events(): IndexedEvent[] {
    const steps = this.#found();
    const events: IndexedEvent[] = [];
    for (const line of this.lines()) {
      const event = readEvent(JSON.parse(line));
      if (!event) continue;
      const step = event.type === "iteration" && steps.get(`${event.algorithm} ${event.iteration}`);
      events.push({ event, line: null, hasEpisodes: Boolean(step), ...(step && { step }) });
    }
    return events;
  }

  #found(): Map<string, IndexedStep> {
    const all = [...this.#steps.values()].map(({ run, iteration, tasks, parts }) => {
      const { episodes, bytes } = this.keptAt(run, iteration);
      const step = { run, iteration, parts: [...parts.values()], bytes };
      const key = `${this.nameOf(run)} ${iteration}`;
      return episodes > 0 ? [[key, { ...step, tasks: JSON.stringify(tasks) }] as const] : [];
    });
    return new Map(all.flat());
  }
}

/** Bytes between two lines that are read as well: a line's end, or one that is blank. */
const BETWEEN = 2;

function addRange(ranges: number[], [start, end]: readonly [number, number]): void {
  const last = ranges.at(-1);
  // Its context, or what was held, was noted before.
  if (last !== undefined && end <= last) return;
  if (last !== undefined && start <= last + BETWEEN) ranges[ranges.length - 1] = end;
  else ranges.push(start, end);
}

/** Passes on the episodes of one step, as they were named when all files were read. */
class StepReader extends RunWriter {
  readonly #step: IndexedStep;
  readonly #tasks: string[];
  #read = 0;

  constructor(step: IndexedStep, choices: ImportChoices) {
    super(undefined, choices);
    this.#step = step;
    this.#tasks = JSON.parse(step.tasks) as string[];
  }

  override episode(run: string, iteration: number, found: ForeignEpisode): void {
    if (run !== this.#step.run || iteration !== this.#step.iteration) return;
    super.episode(run, iteration, { ...found, task: this.#tasks[this.#read++] ?? found.task });
  }

  override metrics(): void {}
  override measured(): void {}
}

/**
 * A step's episodes, as a recording of the run would have them. @param files by their indices in `IndexedStep`
 * @throws RefusedError if a file can no longer be read
 */
export async function episodesOfStep(
  files: ReadonlyMap<number, LargeFile>,
  step: IndexedStep,
  choices: ImportChoices,
): Promise<readonly EpisodeRecord[]> {
  const writer = new StepReader(step, choices);
  const byTitle = new Map<string, ReadPlace[]>();
  for (const part of step.parts) {
    const own = byTitle.get(part.place.title) ?? [];
    byTitle.set(part.place.title, own);
    own.push({ ...part.place, file: await partOf(files.get(part.at)!, part) });
  }
  for (const places of byTitle.values()) readAgainInto(writer, places, choices.map);
  const lines = [...writer.lines()].filter((line) => line.startsWith('{"type":"iteration"'));
  return readDetails(jsonOrNothing(lines[0] ?? "{}")).episodes;
}

/** The values of a file that are in the ranges; only their bytes are read, unless it is packed. */
async function partOf(file: LargeFile, { entry, isPlain, ranges }: StepPart): Promise<ItemFile> {
  if (ranges && isPlain)
    return { name: file.name, items: () => placedValues(bytesIn(file, ranges)) };
  const { file: whole } = (await openLarge(file, 0))[entry]!;
  return ranges ? { name: whole.name, items: () => itemsIn(whole, ranges) } : whole;
}

function* bytesIn({ chunks }: LargeFile, ranges: readonly number[]): Generator<Uint8Array> {
  for (let i = 0; i < ranges.length; i += 2) {
    yield* chunks(ranges[i], ranges[i + 1]);
    yield NEWLINE;
  }
}

const NEWLINE = new Uint8Array([0x0a]);

function* itemsIn(file: ItemFile, ranges: readonly number[]): Generator<PlacedItem> {
  const last = ranges.at(-1)!;
  for (const item of file.items()) {
    const [start, end] = item.range!;
    if (start >= last) return;
    for (let i = 0; i < ranges.length; i += 2)
      if (start >= ranges[i]! && end <= ranges[i + 1]!) yield item;
  }
}
