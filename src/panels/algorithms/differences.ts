/** How two algorithms differ: choices and settings side by side, and lines of their source files. */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { usedSettings, type SettingName } from "../../spec/algorithmDocs/settingUse.ts";
import { wordAxes } from "../../method/axes.ts";
import { numberAxes } from "../../method/numbers.ts";
import type { RowKind } from "../../spec/definitions.ts";
import { words } from "./words.ts";
import { rowAxes } from "../../method/rowAxes.ts";

interface AxisDifference {
  name: string;
  /** The axis in words. */
  about: string;
  values: [string, string];
  /** What the values mean; "" for a number. */
  meanings: [string, string];
}

/** Axes and settings in which they differ; a setting that one has no use for is "–" there. */
export function differences(a: AlgorithmConfig, b: AlgorithmConfig): AxisDifference[] {
  const [usedA, usedB] = [usedSettings(a), usedSettings(b)];
  const shown = (config: AlgorithmConfig, used: SettingName[], key: SettingName) =>
    codeFor(config, key) ?? (used.includes(key) ? String(config[key] ?? "none") : "–");
  const axes = Object.entries(rowAxes).map(([key, axis]): AxisDifference => {
    const name = key as keyof typeof rowAxes;
    return inWords(name, axis, [codeFor(a, name) ?? a[name], codeFor(b, name) ?? b[name]]);
  });
  const regularisers = [a, b].map((one) => codeFor(one, "regulariser") ?? "–") as [string, string];
  const pull = inWords("regulariser", { about: words.regulariser }, regularisers);
  const settings = Object.entries({ ...wordAxes, ...numberAxes }).map(([key, axis]) => {
    const name = key as SettingName;
    return inWords(key, axis, [shown(a, usedA, name), shown(b, usedB, name)]);
  });
  return [...axes, ...settings, pull].filter(({ values: [x, y] }) => x !== y);
}

/** The reader's own code for a choice; undefined where the row has none. */
function codeFor({ own }: AlgorithmConfig, choice: string): string | undefined {
  const name = own?.[choice as RowKind];
  return name === undefined ? undefined : words.own(name);
}

type AxisMeaning = { about: string; values?: Readonly<Record<string, string>> };

function inWords(
  name: string,
  { about, values: meant = {} }: AxisMeaning,
  values: [string, string],
) {
  const meaning = (value: string) => meant[value] ?? "";
  return {
    name,
    about,
    values,
    meanings: [meaning(values[0]), meaning(values[1])] as AxisDifference["meanings"],
  };
}

export interface DiffLine {
  sign: " " | "-" | "+";
  text: string;
}

/** The shortest edit script between two texts in whole lines: the longest common subsequence stays. */
export function diffLines(from: string, to: string): DiffLine[] {
  const [a, b] = [from.split("\n"), to.split("\n")];
  const common = commonLengths(a, b);
  const result: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      result.push({ sign: " ", text: a[i]! });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      result.push({ sign: "-", text: a[i++]! });
    } else {
      result.push({ sign: "+", text: b[j++]! });
    }
  }
  return result;
}

/** Lines of two texts side by side: equal ones, or what each has in their place. */
interface Passage {
  left: string[];
  right: string[];
  isSame: boolean;
}

/**
 * A difference in two columns, with as few passages as there are changes between equal and
 * different.
 */
export function sideBySide(lines: readonly DiffLine[]): Passage[] {
  const stretches: Passage[] = [];
  for (const { sign, text } of lines) {
    const isSame = sign === " ";
    let last = stretches.at(-1);
    if (last?.isSame !== isSame) stretches.push((last = { left: [], right: [], isSame }));
    if (sign !== "+") last.left.push(text);
    if (sign !== "-") last.right.push(text);
  }
  return stretches;
}

/** common[i][j]: the number of common lines of a from i on and b from j on. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const common = Array.from({ length: a.length + 1 }, () =>
    new Array<number>(b.length + 1).fill(0),
  );
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const without = Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : without;
    }
  }
  return common;
}
