/**
 * What a link contains besides the experiment: the results of the run, and a place in the page.
 * Only its form is checked here; the meaning of a panel's setting is known to the panels.
 */
import { show } from "../numeric/inputError.ts";
import { MOST_OF_CURVES } from "./linkCurves.ts";

/** One `name=value` of a link. */
export type Change = readonly [key: string, value: string];

/** The results of the sender's run, to be compared with the receiver's. */
export interface Expectation {
  /** Last hash of the finished run: lower-case hex. */
  fingerprint?: string | undefined;
  /** First hex digits of the hash after every `stride`-th iteration; see `traceStride`. */
  trace?: string | undefined;
  /** The engine of the sender's run, see `senderToText`. */
  sender?: string | undefined;
  /** The sender's curves, see linkCurves.ts. */
  curves?: string | undefined;
}

/** Panel settings, `panel:setting` to its text, as in `curves:axis=tokens`. */
export type PanelSettings = Readonly<Record<string, string>>;

/** A place in the page; independent of the experiment. */
export interface LinkPlace {
  /** A view of the page other than the notebook. */
  view?: string | undefined;
  /** The cursor there, in words and numbers separated by commas. */
  at?: string | undefined;
  /** The arrangement of the lens: a layout's name, or a dock. */
  layout?: string | undefined;
  /**
   * Panels that are unfolded there, or folded if prefixed with a dash, where this differs from the
   * default.
   */
  open?: string | undefined;
  /** The one panel shown, without the rest of the page. */
  alone?: string | undefined;
  settings?: PanelSettings | undefined;
}

/** As read: null if the link contains nothing usable. */
export type Extras = Record<Name, string | null> & { settings: PanelSettings };

type Name = Exclude<keyof Expectation | keyof LinkPlace, "settings">;

const HEXADECIMAL = { pattern: /^[0-9a-f]{1,64}$/, words: "up to 64 hexadecimal digits" };
const WORD = { pattern: /^[a-z][a-zA-Z]{0,19}$/, words: "a word" };

/** By the key in the link, in writing order. */
const EXTRAS = {
  fp: { name: "fingerprint", ...HEXADECIMAL },
  trace: { name: "trace", ...HEXADECIMAL },
  view: { name: "view", ...WORD },
  at: {
    name: "at",
    pattern: /^[\w.,@-]{1,80}$/,
    words: "up to 80 letters, digits, dots, dashes, commas and @",
  },
  layout: {
    name: "layout",
    pattern: /^[\w.*~()-]{1,400}$/,
    words: "a layout’s name, or panes and their places",
  },
  open: {
    name: "open",
    pattern: /^(?!.{201})-?[a-z][a-zA-Z]{0,19}(,-?[a-z][a-zA-Z]{0,19})*$/,
    words: "panel names separated by commas, with a dash before closed ones",
  },
  alone: { name: "alone", ...WORD },
  by: {
    name: "sender",
    pattern: /^[\w.-]{1,20},[\w-]{1,20}(,[\w-]{1,40})?$/,
    words: "a version, a backend and perhaps a device, with commas between them",
  },
  // Last: less important than the rest for a human reader of the link.
  curves: {
    name: "curves",
    pattern: new RegExp(`^[\\w.,+-]{1,${MOST_OF_CURVES}}$`),
    words: `up to ${MOST_OF_CURVES} characters of curves`,
  },
} as const satisfies Record<string, { name: Name; pattern: RegExp; words: string }>;

const SETTING_KEY = /^[a-z][a-zA-Z]{0,19}:[a-zA-Z]{1,20}$/;
/** Maximum characters of one setting that are read, and so written. */
const MOST_OF_SETTING = 1500;
// No control characters, and not long enough to be misused.
const SETTING_VALUE = new RegExp(`^[^\\p{C}]{1,${MOST_OF_SETTING}}$`, "u");

/** Whether a link's key is a panel's setting. */
export function isSettingKey(key: string): boolean {
  return SETTING_KEY.test(key);
}

function isExtra(key: string): key is keyof typeof EXTRAS {
  return Object.hasOwn(EXTRAS, key);
}

/** The extras of a link without any. */
export function noExtras(): Extras {
  const run = { fingerprint: null, trace: null, sender: null, curves: null };
  return { ...run, view: null, at: null, layout: null, open: null, alone: null, settings: {} };
}

/** The version and engine of a run. */
interface Sender {
  /** Turnbook's version. */
  version: string;
  backend: string;
  /** The graphics card; "" if any processor gives the same numbers. */
  device: string;
}

/** For a link: letters, digits and dashes. */
export function senderToText({ version, backend, device }: Sender): string {
  const word = (text: string, most: number) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .slice(0, most)
      .replace(/^-|-$/g, "");
  const number = version.replace(/[^\w.-]+/g, "").slice(0, 20) || "0";
  const parts = [number, word(backend, 20) || "unknown", word(device, 40)];
  return parts.filter((part) => part !== "").join(",");
}

/** Null for none, or a text that `senderToText` does not write. */
export function senderFromText(text: string | undefined): Sender | null {
  if (text === undefined || !EXTRAS.by.pattern.test(text)) return null;
  const [version = "", backend = "", device = ""] = text.split(",");
  return { version, backend, device };
}

/** All extras that can be read back, in a fixed order; for settings that are too long, their first entries. */
export function extraChanges(extras: Expectation & LinkPlace): Change[] {
  const named = Object.entries(EXTRAS).flatMap(([key, { name, pattern }]) => {
    const value = extras[name] ?? "";
    return pattern.test(value) ? [[key, value] as const] : [];
  });
  const settings = Object.entries(extras.settings ?? {})
    .map(([key, value]) => [key, wholeEntries(value, MOST_OF_SETTING)] as const)
    .filter(([, value]) => SETTING_VALUE.test(value));
  return [...named, ...settings];
}

/** As many entries of a comma-separated list as fit; "" if not even the first one does. */
export function wholeEntries(list: string, room: number): string {
  if (list.length <= room) return list;
  return list.slice(0, Math.max(0, list.lastIndexOf(",", room)));
}

/** The extras with one more part of a link; null for a part about the experiment. */
export function withExtra(extras: Extras, [key, value]: Change, warnings: string[]): Extras | null {
  if (isExtra(key)) {
    const { name, pattern, words } = EXTRAS[key];
    if (pattern.test(value)) return { ...extras, [name]: value };
    warnings.push(`${key} is ${show(value)}; it must be ${words}.`);
    return extras;
  }
  if (!isSettingKey(key)) return null;
  if (SETTING_VALUE.test(value))
    return { ...extras, settings: { ...extras.settings, [key]: value } };
  warnings.push(
    `${key} is ${show(value)}; it must be a line of 1 to ${MOST_OF_SETTING} characters.`,
  );
  return extras;
}
