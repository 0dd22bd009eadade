/**
 * The share link: a preset and the differences from it, readable in the address bar.
 *
 *     #v1/nano?seed=3&optimisation.iterations=20&algorithms=grpo,turn-ppo&turn-ppo.gamma=0.95&fp=9f86...
 *     #v1/nano?view=lens&at=turn-ppo,12,1,4&open=formula,-turns&formula:step=clip
 *
 * The writer is strict, the reader forgiving: for any input, it returns a valid experiment and
 * warnings about what it could not use.
 */
import { canonicalJson } from "./canonical.ts";
import type { ExperimentSpec } from "./experiment.ts";
import { shortenName, show } from "../numeric/inputError.ts";
import { curvesFromText } from "./linkCurves.ts";
import {
  extraChanges,
  isSettingKey,
  noExtras,
  wholeEntries,
  withExtra,
  type Change,
  type Expectation,
  type Extras,
  type LinkPlace,
} from "./linkExtras.ts";
import { learnerNames } from "./preference.ts";
import { presetSpec } from "./presets.ts";
import { DEFAULT_PRESET, sentence, specFromChanges } from "./specChanges.ts";
import { changesOf } from "./specDifference.ts";

const LINK_VERSION = 1;
/** Longer hashes are not read: no genuine link comes near. */
const MAX_LENGTH = 4096;
const MAX_CHANGES = 64;

export interface DecodedLink extends Extras {
  spec: ExperimentSpec;
  /** One sentence for each part that could not be used. */
  warnings: string[];
}

/** Hex digits of each hash in a trace: enough to see where two runs diverge, short enough for a link. */
export const TRACE_DIGITS = 2;
const MAX_MARKS = 20;

/**
 * Iterations between two entries of a trace: the smallest power of two that keeps the trace short.
 */
export function traceStride(iterations: number): number {
  let stride = 1;
  while (iterations / stride > MAX_MARKS) stride *= 2;
  return stride;
}

/** A `#v1/...` hash for an experiment, its results if known, and a place in the page. */
export function encodeLink(spec: ExperimentSpec, extras: Expectation & LinkPlace = {}): string {
  const { preset, changes } = changesOf(spec);
  const head = `#v${LINK_VERSION}/${preset}`;
  const parts = partsThatFit([...changes, ...extraChanges(extras)], MAX_LENGTH - head.length);
  return parts.length === 0 ? head : `${head}?${parts.join("&")}`;
}

/**
 * The address of a place in the page with another prefix, such as a notebook's, which defines the
 * experiment itself and may have any length.
 */
export function encodePlace(head: string, extras: Expectation & LinkPlace): string {
  const parts = partsThatFit(extraChanges(extras), MAX_LENGTH);
  return parts.length === 0 ? head : `${head}?${parts.join("&")}`;
}

/**
 * Reads the part of any address after its first question mark: a place, and expected results of a
 * run. Never throws.
 * @param spec the experiment that it belongs to; without one, curves get no warnings.
 */
export function decodePlace(
  hash: string,
  spec: ExperimentSpec | null = null,
): Extras & { warnings: string[] } {
  const warnings: string[] = [];
  const mark = hash.indexOf("?");
  const query = mark < 0 ? "" : hash.slice(mark + 1, mark + 1 + MAX_LENGTH);
  const { extras, changes } = readParts(query, warnings);
  const unread = changes.map(
    ([name]) => `${shortenName(name)} is not a place in the page. Left out.`,
  );
  const curves = spec && readableCurves(extras, spec, warnings);
  return { ...extras, curves, warnings: [...warnings, ...unread] };
}

/**
 * All changes, except for panel settings that would make the link longer than the reader's limit.
 */
function partsThatFit(changes: readonly Change[], room: number): string[] {
  const parts: string[] = [];
  for (const [key, value] of changes) {
    let text = encodeValue(value);
    room -= `?${key}=`.length;
    if (isSettingKey(key)) text = wholeEntries(text, parts.length < MAX_CHANGES ? room : 0);
    if (text === "" && isSettingKey(key)) room += `?${key}=`.length;
    else parts.push(`${key}=${text}`);
    room -= text.length;
  }
  return parts;
}

/** These are legal in a hash and far easier to read than %2C, %3A and %2F. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replace(/%(2C|3A|2F)/g, decodeURIComponent);
}

/** Reads any text as a link. Never throws; an unusable part becomes a warning and a default. */
export function decodeLink(hash: string): DecodedLink {
  const text = typeof hash === "string" ? hash.replace(/^#/, "") : "";
  if (text === "") return plain([]);
  if (text.length > MAX_LENGTH)
    return plain([`The link is ${text.length} characters long; at most ${MAX_LENGTH} are read.`]);
  const parts = /^v(\d{1,9})\/([^?]*)(?:\?(.*))?$/s.exec(text);
  if (!parts) return plain([`The link ${show(text)} does not have the form #v1/preset?changes.`]);
  if (Number(parts[1]) !== LINK_VERSION)
    return plain([
      `The link has version ${Number(parts[1])}; this Turnbook reads version ${LINK_VERSION}.`,
    ]);
  return readQuery(parts[2]!, parts[3] ?? "");
}

function plain(warnings: string[]): DecodedLink {
  const spec = presetSpec(DEFAULT_PRESET);
  return { spec, ...noExtras(), warnings };
}

function readQuery(presetText: string, query: string): DecodedLink {
  const warnings: string[] = [];
  const { extras, changes } = readParts(query, warnings);
  const preset = percentDecode(presetText) ?? presetText;
  const { spec, warnings: refused } = specFromChanges(preset, changes);
  const all = [...warnings, ...refused];
  return { spec, ...extras, curves: readableCurves(extras, spec, all), warnings: all };
}

/** The curves of a link if they fit its experiment; else null, with a sentence. */
function readableCurves({ curves }: Extras, spec: ExperimentSpec, warnings: string[]) {
  if (curves === null) return null;
  try {
    curvesFromText(curves, learnerNames(spec).length);
    return curves;
  } catch (error) {
    warnings.push(`The sender’s curves are not shown: ${sentence(error)}.`);
    return null;
  }
}

/** Separates the parts about the page from those about the experiment. */
function readParts(query: string, warnings: string[]): { extras: Extras; changes: Change[] } {
  const pairs = query.split("&").filter((pair) => pair !== "");
  if (pairs.length > MAX_CHANGES)
    warnings.push(`The link has ${pairs.length} changes; only the first ${MAX_CHANGES} are read.`);
  const changes: Change[] = [];
  let extras = noExtras();
  for (const pair of pairs.slice(0, MAX_CHANGES)) {
    const change = readPair(pair, warnings);
    if (!change) continue;
    const more = withExtra(extras, change, warnings);
    if (more) extras = more;
    else changes.push(change);
  }
  return { extras, changes };
}

function readPair(pair: string, warnings: string[]): Change | null {
  const eq = pair.indexOf("=");
  const key = percentDecode(eq < 0 ? pair : pair.slice(0, eq));
  const value = percentDecode(eq < 0 ? "" : pair.slice(eq + 1));
  if (key !== null && value !== null && eq > 0) return [key, value];
  warnings.push(`The part ${show(pair)} does not have the form name=value.`);
  return null;
}

function percentDecode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Whether two experiments are the same in every field. */
export function sameSpec(a: ExperimentSpec, b: ExperimentSpec): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}
