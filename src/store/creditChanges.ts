/** The credits panel's slider values, as a link carries them. */
import type { SettingName } from "../spec/algorithmDocs/settingUse.ts";
import { algorithmNames, isAlgorithmName, resolveAlgorithm } from "../spec/algorithms.ts";
import { ALL, type Changes, type ChangedValue } from "../reading/credit/changes.ts";
import type { Setting } from "./lensCodecs.ts";

/** In a link: `gamma:0.9,turn-ppo.lambda:1`. */
export const creditChanges: Setting<Changes> = {
  start: {},
  read: readChanges,
  write: (changes) =>
    Object.entries(changes)
      .flatMap(([algorithm, set]) => Object.entries(set).map((entry) => written(algorithm, entry)))
      .join(","),
  allowed: "settings and their values, as gamma:0.9,turn-ppo.lambda:1",
};

function written(algorithm: string, [key, value]: [string, ChangedValue]): string {
  return `${algorithm === ALL ? "" : `${algorithm}.`}${key}:${value ?? "none"}`;
}

function readChanges(text: string): Changes | undefined {
  const changes: Record<string, Record<string, ChangedValue>> = {};
  for (const part of text.split(",")) {
    const [, algorithm = ALL, key, value] = /^(?:([\w-]+)\.)?(\w+):([\w.+-]+)$/.exec(part) ?? [];
    if (key === undefined || (algorithm !== ALL && !isAlgorithmName(algorithm))) return undefined;
    const read = valueOf(key, value!);
    if (read === undefined) return undefined;
    changes[algorithm] = { ...changes[algorithm], [key]: read };
  }
  return changes;
}

/** Allowed for any algorithm: the ranges are the settings' own. */
function valueOf(key: string, text: string): ChangedValue | undefined {
  try {
    return resolveAlgorithm(algorithmNames[0]!, { [key]: text })[key as SettingName];
  } catch {
    return undefined;
  }
}
