/**
 * What the panels of the lens let one choose, as links carry it: a row here is all that a new choice needs to be kept
 * in the address. The panel reads and sets it with `usePanelSetting`.
 */
import { algorithmNames } from "../spec/algorithms.ts";
import type { PanelSettings } from "../spec/linkExtras.ts";
import { show } from "../spec/inputError.ts";
import { creditChanges } from "./creditChanges.ts";
import { START_VIEW, type CurvesView } from "./curvesView.ts";
import {
  lineOf,
  nameOrNone,
  names,
  numberFrom,
  onOff,
  oneOf,
  spelled,
  stretch,
  type Setting,
} from "./lensCodecs.ts";

const anAlgorithm = {
  allows: (name: string) => algorithmNames.includes(name),
  allowed: "names of algorithms",
};

/** A method of a run, which may come from elsewhere; runs themselves are in no link. */
const aMethod = {
  allows: (name: string) => /^(?!run\d+$)[\w.-]{1,60}$/.test(name),
  allowed: "names of methods",
};

/** `train|actor/entropy` is `train:actor/entropy` in a link. */
const aMetric = {
  allows: (name: string) => /^([a-z]+|(train|heldout)[|:][^,\s\p{C}]{1,120})$/u.test(name),
  allowed: "names of charts",
};

/** Of the lens's curves, kept in the state of their own: a setting for each field that a link carries. */
const curves = {
  axis: oneOf(["iteration", "turns", "tokens", "time"], START_VIEW.axis),
  domain: stretch(),
  smoothing: numberFrom(0, 0.99, START_VIEW.smoothing),
  log: onOff(START_VIEW.log),
  trim: onOff(START_VIEW.trim),
  seeds: oneOf(["each", "mean", "iqm"], START_VIEW.seeds),
  interval: oneOf(["t", "bootstrap", "none"], START_VIEW.interval),
  baseline: spelled(
    nameOrNone({ ...aMethod, allowed: "the name of a method" }),
    // Of a line's id only its method means something elsewhere: that of the run that is shown.
    (id) => id && id.slice(id.lastIndexOf("|") + 1),
    (name) => name,
  ),
  hidden: names(aMethod),
  metrics: spelled(
    names(aMetric, START_VIEW.metrics),
    (ids) => ids.map((id) => id.replace("|", ":")),
    (ids) => ids.map((id) => id.replace(":", "|")),
  ),
} satisfies { [K in keyof CurvesView]?: Setting<CurvesView[K]> };

export const lensSettings = {
  curves,
  episodes: {
    scope: oneOf(["this", "all"], "this"),
    sort: oneOf(
      [
        ...(["episode", "task", "outcome", "reward", "turns"] as const),
        ...(["error", "clipped", "surprise", "advantage"] as const),
      ],
      "episode",
    ),
    direction: oneOf(["up", "down"], "up"),
    outcome: oneOf(["any", "solved", "failed", "unknown"], "any"),
    clipped: onOff(false),
    /** What is looked for in texts. */
    find: lineOf(200),
  },
  credits: {
    quantity: oneOf(["advantage", "ratio", "clip"], "advantage"),
    grain: oneOf(["token", "turn", "episode"], "turn"),
    /** Rows beside those that are always there. */
    rows: names(anAlgorithm),
    /** What the sliders say. */
    set: creditChanges,
  },
  clip: {
    /** Whether bars' heights are logarithmic. */
    heights: oneOf(["log", "linear"], "log"),
  },
  critic: {
    /** How many iterations up to the cursor's are taken together. */
    span: oneOf(["1", "5", "20"], "1"),
    against: oneOf(["target", "came"], "target"),
  },
  speed: {
    quantity: oneOf(["seconds", "tokens", "episodes", "memory", "dispatches"], "seconds"),
  },
  formula: {
    /** Null is the method at the cursor. */
    row: nameOrNone({ ...anAlgorithm, allowed: "the name of an algorithm" }),
    step: oneOf(
      [
        ...(["all", "rollout", "reward", "value", "tdError"] as const),
        ...(["advantage", "ratio", "clip", "loss", "update"] as const),
      ],
      "all",
    ),
  },
};

type Table = typeof lensSettings;
export type SettingsPanel = Exclude<keyof Table, "curves">;
export type SettingKey<P extends SettingsPanel> = keyof Table[P] & string;
export type SettingValue<P extends SettingsPanel, K extends SettingKey<P>> =
  Table[P][K] extends Setting<infer T> ? T : never;

function settingAt(panel: string, key: string): Setting<unknown> | undefined {
  const table = lensSettings as unknown as Record<string, Record<string, Setting<unknown>>>;
  if (!Object.hasOwn(table, panel) || !Object.hasOwn(table[panel]!, key)) return undefined;
  return table[panel]![key];
}

/** The value of a setting in the record; what is absent, or cannot be read, is as at first. */
export function settingIn<P extends SettingsPanel, K extends SettingKey<P>>(
  text: string | undefined,
  panel: P,
  key: K,
): SettingValue<P, K> {
  const setting = settingAt(panel, key)!;
  const value = text === undefined ? undefined : setting.read(text);
  return (value === undefined ? setting.start : value) as SettingValue<P, K>;
}

/** The record with a setting changed; what is as at first is not in it. */
export function withSetting<P extends SettingsPanel, K extends SettingKey<P>>(
  settings: PanelSettings,
  panel: P,
  key: K,
  value: SettingValue<P, K>,
): PanelSettings {
  const { [`${panel}:${key}`]: _old, ...others } = settings;
  return { ...others, ...textOf(panel, key, value) };
}

function textOf(panel: string, key: string, value: unknown): PanelSettings {
  const setting = settingAt(panel, key)!;
  const text = setting.write(value);
  return text === setting.write(setting.start) ? {} : { [`${panel}:${key}`]: text };
}

/** What of the curves' state is not as at first, as settings. */
export function curveSettings(view: CurvesView): PanelSettings {
  const keys = Object.keys(curves) as (keyof typeof curves)[];
  return Object.assign({}, ...keys.map((key) => textOf("curves", key, view[key])));
}

/** In the table's order, so that the same settings make the same link. */
export function inOrder(settings: PanelSettings): PanelSettings {
  const known = Object.entries(lensSettings).flatMap(([panel, table]) =>
    Object.keys(table).map((key) => `${panel}:${key}`),
  );
  return Object.fromEntries(
    known.flatMap((key) => (Object.hasOwn(settings, key) ? [[key, settings[key]!]] : [])),
  );
}

/** A link's settings: those that can be used, and a sentence for each of the others. */
export function readSettings(wanted: PanelSettings): {
  settings: PanelSettings;
  curves: Partial<CurvesView>;
  warnings: string[];
} {
  const warnings: string[] = [];
  const settings: Record<string, string> = {};
  const ofCurves: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(wanted)) {
    const [panel, key] = name.split(":") as [string, string];
    const setting = settingAt(panel, key);
    const value = setting?.read(text);
    if (!setting) warnings.push(`${name} is not a setting of the lens. Left out.`);
    else if (value === undefined)
      warnings.push(`${name} is ${show(text)}; it must be ${setting.allowed}. Left out.`);
    else if (panel === "curves") ofCurves[key] = value;
    else settings[name] = setting.write(value);
  }
  return { settings, curves: ofCurves, warnings };
}
