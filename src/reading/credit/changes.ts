/** What is set otherwise than in the run, by algorithm; ALL holds for every row that uses the setting. */
import type { SettingName } from "../../spec/algorithmDocs/settingUse.ts";

export type ChangedValue = number | string | null;
export type Overrides = Readonly<Partial<Record<SettingName, ChangedValue>>>;
export type Changes = Readonly<Record<string, Overrides>>;
export const ALL = "*";
