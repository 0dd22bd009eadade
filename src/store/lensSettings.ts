/** What panels of the lens let one choose, in the record that links carry: `panel:setting` to its text. */
import type { PanelSettings } from "../spec/linkExtras.ts";
import { show } from "../spec/inputError.ts";
import type { CurvesView } from "./curvesView.ts";
import type { PanelFacts } from "./lens.ts";
import type { Setting } from "./lensCodecs.ts";

/** The value of a setting in the record; what is absent, or cannot be read, is as at first. */
export function settingIn<T>(settings: PanelSettings, name: string, setting: Setting<T>): T {
  const text = settings[name];
  const value = text === undefined ? undefined : setting.read(text);
  return value === undefined ? setting.start : value;
}

/** The record with a setting changed; what is as at first is not in it. */
export function withSetting<T>(
  settings: PanelSettings,
  name: string,
  setting: Setting<T>,
  value: T,
): PanelSettings {
  const { [name]: _old, ...others } = settings;
  return { ...others, ...textOf(name, setting, value) };
}

/** A value as a record of one setting; of none where it is as at first. */
export function textOf<T>(name: string, setting: Setting<T>, value: T): PanelSettings {
  const text = setting.write(value);
  return text === setting.write(setting.start) ? {} : { [name]: text };
}

type Table = readonly PanelFacts[];

function settingAt(table: Table, name: string): Setting<unknown> | undefined {
  const [id, key] = name.split(":") as [string, string];
  const settings = table.find((panel) => panel.id === id)?.settings;
  return settings && Object.hasOwn(settings, key) ? settings[key] : undefined;
}

/** In the table's order, so that the same settings make the same link. */
export function inOrder(table: Table, settings: PanelSettings): PanelSettings {
  const known = table.flatMap((panel) =>
    Object.keys(panel.settings).map((key) => `${panel.id}:${key}`),
  );
  return Object.fromEntries(
    known.flatMap((key) => (Object.hasOwn(settings, key) ? [[key, settings[key]!]] : [])),
  );
}

/** A link's settings: those that can be used, and a sentence for each of the others. */
export function readSettings(
  table: Table,
  wanted: PanelSettings,
): {
  settings: PanelSettings;
  /** The curves' are kept in a state of their own. */
  curves: Partial<CurvesView>;
  warnings: string[];
} {
  const warnings: string[] = [];
  const settings: Record<string, string> = {};
  const curves: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(wanted)) {
    const [panel, key] = name.split(":") as [string, string];
    const setting = settingAt(table, name);
    const value = setting?.read(text);
    if (!setting) warnings.push(`${name} is not a setting of the lens. Left out.`);
    else if (value === undefined)
      warnings.push(`${name} is ${show(text)}; it must be ${setting.allowed}. Left out.`);
    else if (panel === "curves") curves[key] = value;
    else settings[name] = setting.write(value);
  }
  return { settings, curves, warnings };
}
