/**
 * An experiment as a bundle of files with which RAGEN and verl can continue where the page ends.
 */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { specAlgorithms, type ExperimentSpec } from "../../spec/experiment.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { ITERATIVE_NAME } from "../../spec/iterative.ts";
import { learnerNames } from "../../spec/preference.ts";
import { specOf } from "../../spec/schedule.ts";
import { toOverrides, toYaml, type Keys } from "../yaml.ts";
import { mapAlgorithm, type AlgorithmMapping } from "./algorithmKeys.ts";
import type { ExportTarget } from "./axis.ts";
import { learningDiffers } from "./differences.ts";
import { counterpartsPage } from "./counterparts.ts";
import { EXPORT_DEFAULTS, runName, specSettings, type ExportOptions } from "./settings.ts";
import { needsPlugin, PLUGIN_FILES } from "./plugin.ts";
import { exportSizes, type Sizes } from "./sizes.ts";
import type { ExportedAlgorithm } from "./exported.ts";

/** The versions that the keys belong to. */
export const VERSIONS = {
  ragen: "mll-lab-nu/RAGEN@20daedc47558e000f7de912b060646bf2e8026bd",
  verl: "verl-project/verl@1dda039b9c6311889a9c9a26040677e1254814f9",
} as const;

interface RagenBundle {
  algorithms: ExportedAlgorithm[];
  /** Methods on pairs and Iterative PPO, which have no counterpart on either target. */
  outside: string[];
  /** Relative path -> text. */
  files: Record<string, string>;
  /** Files of public/python that go into the bundle's folder python. */
  plugin: readonly string[];
}

/**
 * The files of an experiment.
 * @throws InputError if none of its algorithms has a counterpart, or an option does not fit it.
 */
export function ragenBundle(
  spec: ExperimentSpec,
  options: Partial<ExportOptions> = {},
): RagenBundle {
  const all = { ...EXPORT_DEFAULTS, ...options };
  checkModelName(all.model);
  const algorithms = specAlgorithms(spec).map((row) =>
    exportAlgorithm(specOf(spec, row.name), row, all),
  );
  const outside = learnerNames({ ...spec, algorithms: [] });
  if (algorithms.every(({ ragenKeys, verlKeys }) => ragenKeys === null && verlKeys === null)) {
    throw new InputError(
      algorithms.length === 0
        ? `the spec trains ${outside.join(", ")}, and none has a counterpart in RAGEN or verl: ${outsideReason(outside)}`
        : `algorithms is ${nameList(algorithms)}; ${reasonText(algorithms)}`,
    );
  }
  const plugged = algorithms.some(
    ({ ragenKeys, verlKeys }) => needsPlugin(ragenKeys) || needsPlugin(verlKeys),
  );
  const plugin = plugged ? PLUGIN_FILES : [];
  return { algorithms, outside, files: filesOf(spec, algorithms, outside), plugin };
}

/** Why these have no counterpart on the targets. */
function outsideReason(outside: readonly string[]): string {
  const pairs = outside.some((name) => name !== ITERATIVE_NAME);
  const lacks = [
    ...(pairs ? ["no loss on preference pairs"] : []),
    ...(outside.includes(ITERATIVE_NAME) ? ["no Q of turns as reward"] : []),
  ];
  return `their trainers have ${lacks.join(" and ")}`;
}

function exportAlgorithm(
  spec: ExperimentSpec,
  config: AlgorithmConfig,
  options: ExportOptions,
): ExportedAlgorithm {
  const sizes = exportSizes(spec, config, options.gpus);
  const settings = specSettings(spec, config, sizes, options);
  const changed = learningDiffers(spec, settings);
  const [ragen, verl] = [mapOn("ragen"), mapOn("verl")];
  const keys = Object.assign({}, ...settings.map((setting) => setting.keys)) as Keys;
  const name = { "trainer.experiment_name": runName(config) };
  return {
    config,
    ragen,
    verl,
    settings,
    ragenKeys: ragen.verdict === "none" ? null : { ...keys, ...name, ...ragen.keys },
    verlKeys:
      verl.verdict === "none"
        ? null
        : { ...verlOverrides(settings, sizes, verl.keys, options), ...name },
  };

  function mapOn(target: ExportTarget): AlgorithmMapping {
    const { context, environment, optimisation } = spec;
    const { formatPenalty } = environment;
    const { entropyCoef } = optimisation;
    const asked = { config, target, sizes, context, formatPenalty, entropyCoef };
    return withDifferences(mapAlgorithm(asked), changed);
  }
}

function withDifferences(mapping: AlgorithmMapping, differs: [string, string][]): AlgorithmMapping {
  const { verdict } = mapping;
  return {
    ...mapping,
    verdict: verdict === "same" && differs.length > 0 ? "differs" : verdict,
    differs: [...mapping.differs, ...differs],
  };
}

function filesOf(
  spec: ExperimentSpec,
  algorithms: ExportedAlgorithm[],
  outside: string[],
): Record<string, string> {
  const without = outside.length > 0 ? { names: outside, why: outsideReason(outside) } : null;
  const files: Record<string, string> = {
    "spec.json": `${JSON.stringify(spec, null, 2)}\n`,
    "COUNTERPARTS.md": counterpartsPage(spec, algorithms, without, VERSIONS),
  };
  const runs = algorithms.filter(({ ragenKeys }) => ragenKeys !== null);
  if (runs.length > 0) {
    const plugged = runs.some(({ ragenKeys }) => needsPlugin(ragenKeys));
    files["run.sh"] = runScript(
      runs.map(({ config }) => runName(config)),
      VERSIONS.ragen,
      plugged,
    );
  }
  const onVerl = algorithms.filter(({ verlKeys }) => verlKeys !== null);
  if (onVerl.length > 0) {
    const plugged = onVerl.some(({ verlKeys }) => needsPlugin(verlKeys));
    files["verl.sh"] = verlScript(
      onVerl.map(({ config }) => config.name),
      plugged,
    );
  }
  for (const { config, ragenKeys, verlKeys } of algorithms) {
    if (ragenKeys) files[`config/${runName(config)}.yaml`] = configText(config, ragenKeys);
    if (verlKeys) files[`verl/${config.name}.txt`] = toOverrides(verlKeys);
  }
  return files;
}

/** Like RAGEN's own `config/_2_sokoban.yaml`; its train.py finds configurations in its own folder only. */
function configText({ title }: AlgorithmConfig, keys: Keys): string {
  return [
    `# ${title} for ${VERSIONS.ragen}; goes into RAGEN's folder config (run.sh puts it there).\n`,
    "defaults:\n  - base\n  - _self_\n\nhydra:\n  searchpath:\n    - pkg://verl.trainer.config\n\n",
    toYaml(keys),
  ].join("");
}

/** RAGEN's train.py finds the responses in a chat by the marks of these two families. */
function checkModelName(model: string): void {
  if (/qwen|llama-3/i.test(model)) return;
  throw new InputError(`model is ${show(model)}; RAGEN takes names with qwen or llama-3 in them`);
}

function nameList(algorithms: ExportedAlgorithm[]): string {
  return algorithms.map(({ config }) => config.name).join(", ");
}

function reasonText(algorithms: ExportedAlgorithm[]): string {
  const reasons = algorithms.map(({ config, ragen }) => {
    const list = ragen.missing.map(([, why]) => why).join("; ");
    return `${config.name}: ${list}`;
  });
  return ["none has a counterpart in RAGEN or verl", ...reasons].join(" - ");
}

/** The script that copies the bundle into a checkout of RAGEN and starts its runs, one after the other. */
function runScript(runs: readonly string[], version: string, plugged: boolean): string {
  const [repository, commit] = version.split("@") as [string, string];
  return `#!/usr/bin/env bash
# Usage: bash run.sh FOLDER_OF_RAGEN [RUN ...]
# Runs: ${runs.join(" ")} (all of them, if none is named)
set -euo pipefail
here="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"
ragen="\${1:?the folder of a checkout of ${repository} is missing}"
shift
if [ ! -f "$ragen/train.py" ] || [ ! -d "$ragen/config" ]; then
  echo "$ragen is not a checkout of ${repository}" >&2
  exit 2
fi
found="$(git -C "$ragen" rev-parse HEAD 2>/dev/null || echo unknown)"
if [ "$found" != ${commit} ]; then
  echo "the keys are of ${version}; this is $found" >&2
fi
if [ $# -eq 0 ]; then
  set -- ${runs.join(" ")}
fi
for run in "$@"; do
  if [ ! -f "$here/config/$run.yaml" ]; then
    echo "there is no run $run; runs: ${runs.join(" ")}" >&2
    exit 2
  fi
  cp "$here/config/$run.yaml" "$ragen/config/"
done
cd "$ragen"
${plugged ? RAGEN_PLUGIN : ""}for run in "$@"; do
  python train.py --config-name "$run"
done
`;
}

/** Once: a checkout that has the patch is left as it is. */
const RAGEN_PLUGIN = `export PYTHONPATH="$here/python\${PYTHONPATH:+:$PYTHONPATH}"
if ! git apply --reverse --check "$here/python/ragen.patch" 2>/dev/null; then
  git apply "$here/python/ragen.patch"
fi
`;

/** The script that starts one of the bundle's runs on verl's own trainer. */
function verlScript(names: readonly string[], plugged: boolean): string {
  const environment = `export PYTHONPATH="$here/python\${PYTHONPATH:+:$PYTHONPATH}"
export VERL_USE_EXTERNAL_MODULES="turnbook_verl\${VERL_USE_EXTERNAL_MODULES:+,$VERL_USE_EXTERNAL_MODULES}"
`;
  return `#!/usr/bin/env bash
# Usage: bash verl.sh ALGORITHM [OVERRIDE ...], where verl is installed
# Algorithms: ${names.join(" ")}
set -euo pipefail
here="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"
name="\${1:?an algorithm is missing: ${names.join(" ")}}"
shift
if [ ! -f "$here/verl/$name.txt" ]; then
  echo "there is no algorithm $name; algorithms: ${names.join(" ")}" >&2
  exit 2
fi
mapfile -t keys < "$here/verl/$name.txt"
${plugged ? environment : ""}exec python -m verl.trainer.main_ppo "\${keys[@]}" "$@"
`;
}

// An algorithm of a spec as overrides of verl's own trainer (`python -m verl.trainer.main_ppo`),
// for those whose loss RAGEN's actor lacks. The environment is left out: verl has none of these, so
// users must supply an agent loop and its data.

const KEPT = new Set([
  "critic",
  "sampling.temperature",
  "sampling.topK",
  "sampling.topP",
  "optimisation",
  "evaluation.every",
  "evaluation.temperature",
]);

function verlOverrides(
  settings: readonly { from: string; keys?: Keys }[],
  { tasks, groupSize, minibatch, microBatch }: Sizes,
  algorithm: Keys,
  { model, gpus }: ExportOptions,
): Keys {
  const shared = settings.filter(({ from }) => KEPT.has(from) || KEPT.has(from.split(".")[0]!));
  const rates = Object.assign({}, ...shared.map(({ keys }) => keys)) as Record<
    string,
    Keys[string]
  >;
  const own = Object.entries(rates).filter(([key]) => !isRagenOnly(key));
  return {
    ...algorithm,
    ...Object.fromEntries(own),
    "actor_rollout_ref.model.path": model,
    "critic.model.path": model,
    "data.train_batch_size": tasks,
    "actor_rollout_ref.rollout.n": groupSize,
    // In prompts: verl multiplies it by the number of rollouts of each.
    "actor_rollout_ref.actor.ppo_mini_batch_size": Math.max(1, Math.floor(minibatch / groupSize)),
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": microBatch,
    "critic.ppo_micro_batch_size_per_gpu": microBatch,
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu": microBatch,
    "trainer.n_gpus_per_node": gpus,
    "trainer.project_name": "turnbook",
    "trainer.logger": ["console"],
  };
}

function isRagenOnly(key: string): boolean {
  return !key.includes(".") || key.startsWith("es_manager.");
}
