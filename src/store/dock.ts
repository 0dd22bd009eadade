/**
 * The arrangement of the lens's panes: rows and columns of groups, each with its panes as tabs.
 * Links and the browser store it as text:
 *
 *     c(75-r(30-episodes~70-ribbon.*critic)~25-curves)
 *
 * A column (c) or row (r) names its parts with their shares in percent; a group names its panes,
 * the active one with a star unless it is the first.
 */
import { show } from "../numeric/inputError.ts";

/** Panes as tabs; `front` is the index of the active one. */
interface DockGroup {
  kind: "group";
  panes: readonly string[];
  front: number;
}

interface DockSplit {
  kind: "row" | "column";
  /** At least two; shares are percent of the whole and sum to 100. */
  parts: readonly DockPart[];
}

interface DockPart {
  share: number;
  dock: Dock;
}

export type Dock = DockGroup | DockSplit;

export function tabGroup(panes: readonly string[], front = 0): DockGroup {
  return { kind: "group", panes, front };
}

/** All panes, in order. */
export function panesOf(dock: Dock): string[] {
  return tabGroups(dock).flatMap(({ panes }) => panes);
}

function tabGroups(dock: Dock): DockGroup[] {
  return dock.kind === "group" ? [dock] : dock.parts.flatMap((part) => tabGroups(part.dock));
}

/** Whether a pane is visible: the active tab of its group. */
export function isInFront(dock: Dock, pane: string): boolean {
  return tabGroups(dock).some(({ panes, front }) => panes[front] === pane);
}

/** Applies a change to every group; a group without panes is removed, and its neighbours get its space. */
export function mapGroups(dock: Dock, change: (group: DockGroup) => DockGroup): Dock | null {
  if (dock.kind === "group") {
    const { panes, front } = change(dock);
    const last = panes.length - 1;
    return last < 0 ? null : tabGroup(panes, Math.min(Math.max(front, 0), last));
  }
  const parts = dock.parts.flatMap(({ share, dock: part }) => {
    const kept = mapGroups(part, change);
    return kept ? [{ share, dock: kept }] : [];
  });
  return splitOf(dock.kind, parts);
}

/** A split of these parts, with shares that sum to 100; a single part needs no split, none is null. */
export function splitOf(kind: DockSplit["kind"], parts: readonly DockPart[]): Dock | null {
  if (parts.length < 2) return parts[0]?.dock ?? null;
  const whole = parts.reduce((sum, { share }) => sum + share, 0);
  return { kind, parts: wholeShares(parts, whole) };
}

/** Integer percents that sum to 100, each at least 1. */
function wholeShares(parts: readonly DockPart[], whole: number): DockPart[] {
  const rounded = parts.map(({ share, dock }) => ({
    share: Math.max(1, Math.round((100 * share) / whole)),
    dock,
  }));
  const rest = 100 - rounded.reduce((sum, { share }) => sum + share, 0);
  const widest = rounded.reduce((best, part) => (part.share > best.share ? part : best));
  widest.share += rest;
  return rounded;
}

/** Activates a pane; if absent, it becomes a tab of the largest group. */
export function withPane(dock: Dock, pane: string): Dock {
  const there = panesOf(dock).includes(pane);
  const group = there ? null : roomiest(dock);
  return mapGroups(dock, (one) => {
    const panes = one === group ? [...one.panes, pane] : one.panes;
    const at = panes.indexOf(pane);
    return at < 0 ? one : tabGroup(panes, at);
  })!;
}

/** Removes a pane; the last one stays. */
export function withoutPane(dock: Dock, pane: string): Dock {
  const without = mapGroups(dock, (one) => {
    const at = one.panes.indexOf(pane);
    if (at < 0) return one;
    // The tab behind it becomes active.
    return tabGroup(
      one.panes.filter((each) => each !== pane),
      one.front > at ? one.front - 1 : one.front,
    );
  });
  return without ?? dock;
}

function roomiest(dock: Dock): DockGroup {
  const best = (one: Dock, room: number): { group: DockGroup; room: number } =>
    one.kind === "group"
      ? { group: one, room }
      : one.parts
          .map(({ share, dock: part }) => best(part, (room * share) / 100))
          .reduce((most, each) => (each.room > most.room ? each : most));
  return best(dock, 1).group;
}

const LETTER = { row: "r", column: "c" } as const;

export function writeDock(dock: Dock): string {
  if (dock.kind === "group")
    return dock.panes.map((pane, i) => (i === dock.front && i > 0 ? `*${pane}` : pane)).join(".");
  const parts = dock.parts.map(({ share, dock: part }) => `${share}-${writeDock(part)}`);
  return `${LETTER[dock.kind]}(${parts.join("~")})`;
}

/** Deeper than any useful dock, and shallow enough for the parser's stack. */
const DEEPEST = 6;

/**
 * Parses a dock, keeping only known panes.
 * @throws DockError in one sentence.
 */
export function readDock(text: string, known: readonly string[]): Dock {
  const reader = { text, at: 0 };
  const dock = readPart(reader, DEEPEST);
  if (reader.at < text.length) fail(reader, "nothing more");
  const panes = panesOf(dock);
  const strange = panes.find((pane) => !known.includes(pane));
  if (strange !== undefined)
    throw new DockError(
      `${show(strange)} is not a pane of the lens; there are ${known.join(", ")}.`,
    );
  const twice = panes.find((pane, i) => panes.indexOf(pane) !== i);
  if (twice !== undefined) throw new DockError(`${show(twice)} is in it twice.`);
  return dock;
}

export class DockError extends Error {
  override name = "DockError";
}

interface LayoutText {
  text: string;
  at: number;
}

function fail({ text, at }: LayoutText, wanted: string): never {
  throw new DockError(`At character ${at + 1} of ${show(text)} there must be ${wanted}.`);
}

/** The match at the current position, which it advances past; null if there is none. */
function take(reader: LayoutText, pattern: RegExp): string | null {
  const found = pattern.exec(reader.text.slice(reader.at))?.[0];
  if (found === undefined) return null;
  reader.at += found.length;
  return found;
}

function readPart(reader: LayoutText, depth: number): Dock {
  const letter = take(reader, /^[rc]\(/);
  if (letter === null) return readGroup(reader);
  if (depth === 0) fail(reader, `at most ${DEEPEST} rows and columns within each other`);
  const parts: DockPart[] = [];
  do {
    const share = Number(take(reader, /^[1-9]\d?(?=-)/) ?? fail(reader, "a share from 1 to 99"));
    take(reader, /^-/);
    parts.push({ share, dock: readPart(reader, depth - 1) });
  } while (take(reader, /^~/) !== null);
  if (take(reader, /^\)/) === null) fail(reader, "“~” or “)”");
  if (parts.length < 2) fail(reader, "a second part before “)”");
  return splitOf(letter === "r(" ? "row" : "column", parts)!;
}

function readGroup(reader: LayoutText): DockGroup {
  const panes: string[] = [];
  let front = 0;
  do {
    if (take(reader, /^\*/) !== null) front = panes.length;
    panes.push(take(reader, /^[a-zA-Z]{1,20}/) ?? fail(reader, "the name of a pane"));
  } while (take(reader, /^\./) !== null);
  return tabGroup(panes, front);
}
