/** Settings that differ from the run's, by algorithm; ALL applies to every row that uses the setting. */
import type { SettingName } from "../../spec/algorithmDocs/settingUse.ts";

export type ChangedValue = number | string | null;
export type Overrides = Readonly<Partial<Record<SettingName, ChangedValue>>>;
export type Changes = Readonly<Record<string, Overrides>>;
export const ALL = "*";
