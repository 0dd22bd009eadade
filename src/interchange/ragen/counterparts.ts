/**
 * The page that lists which parts of an experiment RAGEN and verl have, have in another form, or
 * lack.
 */
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { specOf } from "../../spec/schedule.ts";
import { yamlText, type Keys } from "../yaml.ts";
import type { AlgorithmMapping, AxisVerdict } from "./algorithmKeys.ts";
import type { ExportedAlgorithm } from "./exported.ts";
import { unmappedFields } from "./differences.ts";
import { needsPlugin } from "./plugin.ts";
import type { MappedSetting } from "./setting.ts";

const VERDICTS: Record<AxisVerdict, string> = {
  same: "the same",
  differs: "with differences",
  none: "no counterpart",
};

/** Differences that hold for every run, whatever the settings. */
const ALWAYS = [
  "RAGEN finds the trained tokens by marks in the chat's text: headers count among them, and responses are cut to the parsed part and tokenised again, so ratios belong to slightly different text than was sampled. Turnbook keeps the sampled ids.",
  "The format penalty and answer parsing are RAGEN's; later versions penalise each wrong name, Turnbook penalises a turn once.",
  "With full context, RAGEN's prompts show the rewards of earlier turns.",
  "Batches are padded with copies of their rows until groups, minibatches and GPUs divide them (agent_proxy.batch_adjust_mode).",
  "An episode cut off by a limit counts as ended.",
  "Token means are taken per micro-batch and then averaged; in Turnbook over the whole update.",
  "RAGEN stops runs that it considers collapsed.",
  "RAGEN ships its own verl as a submodule; verl's keys are those of the version above.",
];

/** `without`: the spec's learners that are not rows of the table, and why the targets lack them. */
export function counterpartsPage(
  spec: ExperimentSpec,
  algorithms: readonly ExportedAlgorithm[],
  without: { names: string[]; why: string } | null,
  versions: { ragen: string; verl: string },
): string {
  return [
    "# Counterparts",
    `This bundle carries an experiment of Turnbook (preset ${spec.preset}, in spec.json) over to ${versions.ragen}, whose configuration builds on verl's, and as far as algorithms go to ${versions.verl}.`,
    "- `run.sh FOLDER_OF_RAGEN` puts `config/*.yaml` into RAGEN's folder and starts one run per file.\n- `verl/*.txt` are overrides of verl's own trainer, one a line: `bash verl.sh NAME [OVERRIDE ...]` starts it with them. verl brings no Sokoban and no WebShop: this takes an agent loop and data of your own.",
    ...(algorithms.some(plugged) ? [PLUGIN] : []),
    "## Algorithms",
    table(
      ["algorithm", "in RAGEN", "in verl"],
      algorithms.map(({ config, ragen, verl }) => [
        `${config.title} (${config.name})`,
        VERDICTS[ragen.verdict],
        VERDICTS[verl.verdict],
      ]),
    ),
    ...(without
      ? [
          `Without a counterpart in RAGEN or verl, and not in this bundle: ${without.names.join(", ")}; ${without.why}.`,
        ]
      : []),
    ...algorithms.map(algorithmText),
    "## Settings",
    ...settingsText(spec, algorithms),
    "## Differences that no setting removes",
    ALWAYS.map((line) => `- ${line}`).join("\n"),
  ]
    .join("\n\n")
    .concat("\n");
}

/** What the plugin is, and how a run gets it by hand. */
const PLUGIN = [
  "`python/turnbook_verl.py` brings verl what it lacks for turns: turn GAE, a turn critic, one ratio and one clip a turn, their aggregation. Both scripts load it.",
  "- On verl 0.7.1 to HEAD by hand: `PYTHONPATH=python VERL_USE_EXTERNAL_MODULES=turnbook_verl python -m verl.trainer.main_ppo ...`; from 0.9 on, `pip install ./python` does without both variables. Before 0.9 leave out `trainer.v1.trainer_mode`. Every node of a cluster needs it.",
  "- verl's agent loops pay a score at the last token. If yours keeps a reward for each turn in an extra field, name it: `+algorithm.turn_rewards=tool_rewards`.",
  "- RAGEN (verl 0.6.1) looks its advantages and losses up itself: `python/ragen.patch` makes it look in the plugin as well; `run.sh` applies it to the checkout.",
].join("\n");

function plugged({ ragenKeys, verlKeys }: ExportedAlgorithm): boolean {
  return needsPlugin(ragenKeys) || needsPlugin(verlKeys);
}

function algorithmText({ config, ragen, verl }: ExportedAlgorithm): string {
  return [`### ${config.title}`, mappingText("RAGEN", ragen), mappingText("verl", verl)].join(
    "\n\n",
  );
}

function mappingText(place: string, { verdict, keys, differs, missing }: AlgorithmMapping): string {
  const lines = [
    ...missing.map(([axis, why]) => `- no counterpart, ${axis}: ${why}`),
    ...(verdict === "none" ? [] : differs.map(([axis, what]) => `- differs, ${axis}: ${what}`)),
    ...(verdict === "none" ? [] : keyList(keys).map((line) => `- ${line}`)),
  ];
  return `${place}: ${VERDICTS[verdict]}.\n\n${lines.join("\n")}`;
}

function keyList(keys: Keys): string[] {
  return Object.entries(keys).map(([key, value]) => `\`${key}=${shortened(yamlText(value))}\``);
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Settings that are the same for every algorithm are listed once. */
function settingsText(spec: ExperimentSpec, algorithms: readonly ExportedAlgorithm[]): string[] {
  const rows = new Map<string, string[]>();
  for (const { config, settings } of algorithms) {
    for (const setting of settings) {
      const row = settingRow(specOf(spec, config.name), setting).join("\n");
      rows.set(row, [...(rows.get(row) ?? []), config.name]);
    }
  }
  const cells = [...rows].map(([row, names]) => [
    ...row.split("\n"),
    names.length === algorithms.length ? "all" : names.join(", "),
  ]);
  const silent = unmappedFields(spec, algorithms[0]?.settings ?? []);
  return [
    table(["field of the spec", "result", "keys, or the reason", "algorithms"], cells),
    silent.length === 0
      ? "Every field of the spec is in this table."
      : `These fields have no known counterpart: ${silent.map((path) => `\`${path}\``).join(", ")}.`,
  ];
}

function settingRow(
  spec: ExperimentSpec,
  { from, keys, why }: MappedSetting,
): [string, string, string] {
  const list = keys ? keyList(keys) : [];
  const state =
    why === undefined
      ? "carried over"
      : !keys
        ? "no counterpart"
        : list.length === 0
          ? "nothing to translate"
          : "changed";
  const value = valueAt(spec, from);
  const field = typeof value === "object" ? `\`${from}\`` : `\`${from}\` = ${String(value)}`;
  return [field, state, [...(why === undefined ? [] : [why]), ...list].join("; ")];
}

function valueAt(spec: ExperimentSpec, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], spec);
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(escaped).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");
}
