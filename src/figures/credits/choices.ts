/** The choices below the table: more rows, their settings, and the batch as a file. */
import { dependsOnRewardScale } from "../../algorithm/registry.ts";
import { nothingToNormalise } from "../../reading/credit/normalised.ts";
import { creditOf } from "../../reading/credit/rowCredit.ts";
import { wordAxes } from "../../method/axes.ts";
import { numberAxes, type NumberName } from "../../method/numbers.ts";
import { ALL, type ChangedValue } from "../../reading/credit/changes.ts";
import { sharedBatch } from "../../reading/credit/batch.ts";
import {
  howOf,
  ownRow,
  settingsInUse,
  setWords,
  withChange,
  type Row,
} from "../../reading/credit/rows.ts";
import type { RunLog, RunView } from "../../reading/log/runLog.ts";
import { runConfig } from "../../reading/runConfig.ts";
import { titleOf } from "../../reading/titles.ts";
import { encodeBatch } from "../../record/encodeBatch.ts";
import { usedSettings, type SettingName } from "../../spec/algorithmDocs/settingUse.ts";
import { algorithmNames } from "../../spec/algorithms.ts";
import { creditChanges } from "../../store/creditChanges.ts";
import type { FigureChoice, NumberChoice } from "../choices.ts";
import {
  textBlock,
  type Block,
  type ChoicesBlock,
  type FigureInput,
  type GroupBlock,
} from "../figure.ts";
import { credits } from "./manifest.ts";
import type { TableInput } from "./tableModel.ts";
import { words } from "./words.ts";

/** Choices that are not in the address: they only help to choose. */
export const ROWS = { open: "open", target: "target", taken: "taken" } as const;

/** Adds rows to the table, and removes them. */
export function rowPicker(rows: readonly Row[], added: readonly string[]): ChoicesBlock {
  const { write } = credits.settings.rows;
  const shown = new Set(rows.map(({ name }) => name));
  const others = algorithmNames.filter((name) => !shown.has(name));
  return {
    kind: "choices",
    choices: [
      {
        id: "rows",
        look: "select",
        label: words.add,
        value: "",
        testId: "credits-add",
        options: [
          { value: "", name: words.addFirst, sets: write(added) },
          ...others.map((name) => ({
            value: name,
            name: titleOf(name),
            sets: write([...added, name]),
          })),
        ],
      },
    ],
    ...(added.length > 0 && {
      go: {
        name: words.added,
        buttons: added.map((name) => ({
          name: `${titleOf(name)} ×`,
          says: words.remove(titleOf(name)),
          choose: { rows: write(added.filter((one) => one !== name)) },
        })),
      },
    }),
  };
}

type Changing = Pick<FigureInput<typeof credits.settings>, "set" | "held"> & { view: RunView };

/** Adjustable settings: all rows that use one follow at once. */
export function whatIf({ view: { log }, set, held }: Changing, rows: readonly Row[]): GroupBlock {
  const target = held[ROWS.target] ?? ALL;
  const meant = target === ALL ? rows : rows.filter(({ name }) => name === target);
  const { first, others } = settingsInUse(meant);
  const field = (name: SettingName) => settingField(name, { log, meant, set, target });
  const fields = (names: SettingName[]): ChoicesBlock => ({
    kind: "choices",
    fields: true,
    choices: names.map(field),
  });
  return {
    kind: "group",
    title: words.what,
    parts: () => [
      textBlock(words.whatNote, "prose"),
      {
        kind: "choices",
        choices: [
          {
            id: ROWS.target,
            look: "select",
            label: words.target,
            value: target,
            testId: "credits-target",
            options: [
              { value: ALL, name: words.allRows },
              ...rows.map(({ name, title }) => ({ value: name, name: title })),
            ],
          },
        ],
        go: {
          name: words.what,
          buttons: [
            {
              name: isOfRun(log, meant) ? words.reset : words.resetUsual,
              testId: "credits-reset",
              choose: { set: "" },
            },
          ],
        },
      },
      fields(first),
      ...(others.length === 0
        ? []
        : [
            {
              ...({ kind: "group", title: words.more, folded: true } as const),
              parts: () => [fields(others)],
            },
          ]),
    ],
  };
}

/** Whether one of the rows is a method of the run with known settings: the others have defaults. */
const isOfRun = (log: RunLog, rows: readonly Row[]) =>
  rows.some(({ name }) => runConfig(log.start?.spec, name) !== null);

interface FieldInput extends Pick<Changing, "set"> {
  log: RunLog;
  meant: readonly Row[];
  target: string;
}

function settingField(name: SettingName, input: FieldInput): FigureChoice | NumberChoice {
  const { log, meant, set, target } = input;
  const chosen = set.set[target]?.[name];
  const write = (value: ChangedValue | undefined) =>
    creditChanges.write(withChange(set.set, target, name, value));
  const own = ownValues(log, meant, name);
  const values = [...new Set(own.map((one) => String(one ?? words.noneValue)))].join(", ");
  const isKnown = isOfRun(log, meant);
  const note = isKnown ? words.rowsOwn(values) : words.rowsUsual(values);
  const unset = isKnown ? words.asSet : words.usual;
  const shared = { id: "set", label: name, note };
  if (!(name in wordAxes)) {
    const number = { ...shared, chosen, write } as Pick<NumberChoice, "chosen" | "write">;
    return { ...shared, ...number, ...numberField(name as NumberName, own, chosen, unset) };
  }
  const { about, values: allowed } = wordAxes[name as "whiten"];
  return {
    ...shared,
    hint: about,
    look: "select",
    value: String(chosen ?? ""),
    testId: `credits-set-${name}`,
    options: [
      { value: "", name: unset, sets: write(undefined) },
      ...Object.keys(allowed).map((value) => ({ value, name: value, sets: write(value) })),
    ],
  };
}

/** The values of the setting in the rows that use it, without the sliders. */
function ownValues(log: RunLog, rows: readonly Row[], name: SettingName): ChangedValue[] {
  return rows.flatMap((row) => {
    const { config } = ownRow(log, row.name);
    return config && usedSettings(config).includes(name) ? [config[name]] : [];
  });
}

/** Usual ranges if an axis allows far more, and steps. */
const RANGES: Partial<Record<NumberName, { max: number; step: number; min?: number }>> = {
  alpha: { max: 5, step: 0.1 },
  omega: { max: 5, step: 0.1 },
  dualClip: { min: 1, max: 10, step: 0.1 },
  betaKlReward: { max: 0.1, step: 0.001 },
};
const UNIT = { max: 1, step: 0.01 };

function numberField(
  name: NumberName,
  own: readonly ChangedValue[],
  chosen: ChangedValue | undefined,
  unset: string,
): Omit<NumberChoice, "id" | "label" | "note" | "chosen" | "write"> {
  const { about, min, max, none } = numberAxes[name];
  const value = chosen === undefined ? own.find((one) => typeof one === "number") : chosen;
  return {
    look: "number",
    hint: about,
    min,
    max,
    slider: { min: 0, ...(RANGES[name] ?? UNIT) },
    value: typeof value === "number" ? value : null,
    names: { field: words.exact(name), unset, ...(none && { none: words.noneValue }) },
  };
}

/** The batch as a file, and the command that computes the same outside of the page. */
export function exportBatch(input: TableInput, taken: string | undefined): Block[] {
  const { rows, episodes, iteration } = input;
  const usable = rows.filter(({ config }) => config !== null);
  const row = usable.find(({ name }) => name === taken) ?? usable[0];
  if (!row?.config) return [];
  const { config } = row;
  const file = `batch-${config.name}-${iteration}.json`;
  const reason = noNumbersOf(row, input);
  return [
    {
      kind: "group",
      id: "credits-take",
      title: words.take,
      folded: true,
      hasCommands: true,
      parts: () => [
        textBlock(words.takeNote, "prose"),
        {
          kind: "choices",
          choices: [
            {
              id: ROWS.taken,
              look: "select",
              label: words.takeFor,
              value: config.name,
              testId: "credits-take-for",
              options: usable.map(({ name, title }) => ({ value: name, name: title })),
            },
          ],
        },
        {
          kind: "file",
          name: file,
          type: "application/json",
          text: () => JSON.stringify(encodeBatch(sharedBatch(config, episodes))),
          copy: { name: words.copy, command: words.exports.copy },
          save: { name: words.save, command: words.exports.save },
        },
        reason === null
          ? {
              ...textBlock(`${words.command}: `, undefined, "credits-command"),
              command: commandOf(row, input, file),
            }
          : textBlock(`${words.command}: ${reason}`),
      ],
    },
  ];
}

/** Why a row has no numbers, neither here nor outside of the page; null if it has some. */
export function noNumbersOf(
  row: Row,
  { episodes, played, count }: Pick<TableInput, "episodes" | "played" | "count">,
): string | null {
  const tried = creditOf(row.config!, episodes, howOf(row, played));
  return tried.ok ? nothingToNormalise(row.config!, tried.ok, count) : tried.reason;
}

/**
 * With training's normalisation if the row uses it: the file contains only the recorded episodes.
 * With its reward scale if that differs: the file contains rewards as the environment pays them.
 */
export function commandOf(
  row: Row,
  { episodes, played }: Pick<TableInput, "episodes" | "played">,
  file: string,
): string {
  const { name, rewardScale } = row;
  const config = row.config!;
  const whole = creditOf(config, episodes, howOf(row, played)).ok?.whitening;
  const set = setWords(config).map((word) => ` --set ${word}`);
  const normalise = whole ? ` --normalise ${whole.mean},${whole.divisor}` : "";
  const scale =
    rewardScale !== 1 && dependsOnRewardScale(config) ? ` --reward-scale ${rewardScale}` : "";
  const options = `${set.join("")}${scale}${normalise}`;
  return `npm run -s turnbook -- credit --algorithm ${name} --batch ${file}${options}`;
}
