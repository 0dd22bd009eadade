/**
 * What a link says besides the experiment: what came of the run, and the place in the page to which it leads. Here
 * only its form is checked; what a panel's setting means is known where the panels are.
 */
import { show } from "../numeric/inputError.ts";
import { MOST_OF_CURVES } from "./linkCurves.ts";

/** One `name=value` of a link. */
export type Change = readonly [key: string, value: string];

/** What the sender's run looked like, so that the receiver's can be compared. */
export interface Expectation {
  /** Last chain of the finished run: lower-case hex. */
  fingerprint?: string | undefined;
  /** First hex digits of the chain after every `stride`-th iteration; see `traceStride`. */
  trace?: string | undefined;
  /** What the sender's run was computed with, see `senderToText`. */
  sender?: string | undefined;
  /** The sender's curves, see linkCurves.ts. */
  curves?: string | undefined;
}

/** How the panels there are set, `panel:setting` to its text, as in `curves:axis=tokens`. */
export type PanelSettings = Readonly<Record<string, string>>;

/** Where in the page the link leads; says nothing of the experiment. */
export interface LinkPlace {
  /** A view of the page besides the notebook. */
  view?: string | undefined;
  /** What is looked at there, in words and numbers between commas. */
  at?: string | undefined;
  /** How the lens is arranged: a layout's name, or where its panes stand. */
  layout?: string | undefined;
  /** Panels that are unfolded there, or folded with a dash before them, other than at first. */
  open?: string | undefined;
  /** The one panel that is shown, without the rest of the page. */
  alone?: string | undefined;
  settings?: PanelSettings | undefined;
}

/** As read: null where the link says nothing, or nothing that can be used. */
export type Extras = Record<Name, string | null> & { settings: PanelSettings };

type Name = Exclude<keyof Expectation | keyof LinkPlace, "settings">;

const HEXADECIMAL = { pattern: /^[0-9a-f]{1,64}$/, words: "up to 64 hexadecimal digits" };
const WORD = { pattern: /^[a-z][a-zA-Z]{0,19}$/, words: "a word" };

/** By the key in the link, in the order in which they are written. */
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
  // Last: whoever reads a link has seen all else by then.
  curves: {
    name: "curves",
    pattern: new RegExp(`^[\\w.,+-]{1,${MOST_OF_CURVES}}$`),
    words: `up to ${MOST_OF_CURVES} characters of curves`,
  },
} as const satisfies Record<string, { name: Name; pattern: RegExp; words: string }>;

const SETTING_KEY = /^[a-z][a-zA-Z]{0,19}:[a-zA-Z]{1,20}$/;
/** The most of one setting that is read, and so that is written. */
const MOST_OF_SETTING = 1500;
// No control characters, and no end of a long text that could be meant for anything.
const SETTING_VALUE = new RegExp(`^[^\\p{C}]{1,${MOST_OF_SETTING}}$`, "u");

/** Whether a link's key is a panel's setting. */
export function isSettingKey(key: string): boolean {
  return SETTING_KEY.test(key);
}

function isExtra(key: string): key is keyof typeof EXTRAS {
  return Object.hasOwn(EXTRAS, key);
}

/** The extras of a link that says nothing of them. */
export function noExtras(): Extras {
  const run = { fingerprint: null, trace: null, sender: null, curves: null };
  return { ...run, view: null, at: null, layout: null, open: null, alone: null, settings: {} };
}

/** What computed a run. */
interface Sender {
  /** Of Turnbook. */
  version: string;
  backend: string;
  /** The graphics card; "" where any processor gives the same numbers. */
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

/** What there is to say and can be read again, in a fixed order; of settings that are too long their first entries. */
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

/** As many entries of a list between commas as there is room for; "" where not even the first one fits. */
export function wholeEntries(list: string, room: number): string {
  if (list.length <= room) return list;
  return list.slice(0, Math.max(0, list.lastIndexOf(",", room)));
}

/** The extras with one more part of a link; null for a part that speaks of the experiment. */
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
