/** Settings of the lens's panels, in the record that links carry: `panel:setting` to its text. */
import type { PanelSettings } from "../spec/linkExtras.ts";
import { show } from "../numeric/inputError.ts";
import type { CurvesView } from "./curvesView.ts";
import type { PanelFacts } from "./lens.ts";
import type { Setting } from "./lensCodecs.ts";

/** The value of a setting in the record; the default if it is absent or invalid. */
export function settingIn<T>(settings: PanelSettings, name: string, setting: Setting<T>): T {
  const text = settings[name];
  const value = text === undefined ? undefined : setting.read(text);
  return value === undefined ? setting.start : value;
}

/** The record with a setting changed; defaults are left out. */
export function withSetting<T>(
  settings: PanelSettings,
  name: string,
  setting: Setting<T>,
  value: T,
): PanelSettings {
  const { [name]: _old, ...others } = settings;
  return { ...others, ...textOf(name, setting, value) };
}

/** A value as a record of one setting; empty for the default. */
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

/** A link's settings: the valid ones, and a sentence for each of the others. */
export function readSettings(
  table: Table,
  wanted: PanelSettings,
): {
  settings: PanelSettings;
  /** The curves' settings are stored separately. */
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
