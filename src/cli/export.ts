/**
 * `export ragen SPEC --out DIR`: writes the files with which RAGEN and verl continue. `export python
 * --out DIR`: their plugin alone, and the writer of rollouts for any trainer. `export huggingface RUN
 * --out DIR`: see exportModels.ts.
 */
import { ragenBundle } from "../interchange/ragen/bundle.ts";
import { needsPlugin, PLUGIN_FILES } from "../interchange/ragen/plugin.ts";
import { EXPORT_DEFAULTS } from "../interchange/ragen/settings.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { outFolder, parseArgs, type OptionSpec } from "./args.ts";
import { readAsset } from "./assets.ts";
import type { Command } from "./command.ts";
import { OutputFolder } from "./outputFolder.ts";
import { specFrom } from "./trainOptions.ts";

const OPTIONS: Record<string, OptionSpec> = {
  out: { type: "string" },
  model: { type: "string" },
  gpus: { type: "integer", min: 1, max: 64 },
  iterations: { type: "integer", min: 1 },
  seed: { type: "integer", min: 0 },
};

/** Export formats. */
const FORMATS = ["ragen", "python", "huggingface"];

export const exportCommand: Command = async (argv, out) => {
  const [format, ...rest] = argv;
  if (!FORMATS.includes(format ?? "")) {
    throw new InputError(
      `export needs a format, not ${show(format)}; allowed: ${FORMATS.join(", ")}`,
    );
  }
  if (format === "huggingface") return (await import("./exportModels.ts")).exportModels(rest, out);
  if (format === "python") return exportPython(rest, out);
  const args = parseArgs(rest, OPTIONS);
  const spec = specFrom(`export ${format}`, args);
  if (outFolder(args) === undefined) throw new InputError("option --out DIR is missing");
  const target = new OutputFolder(args.string("out")!, null);
  const { algorithms, outside, files, plugin } = ragenBundle(spec, {
    model: args.string("model") ?? EXPORT_DEFAULTS.model,
    gpus: args.number("gpus") ?? EXPORT_DEFAULTS.gpus,
  });
  for (const [name, text] of await pythonFiles(plugin)) files[`python/${name}`] = text;
  target.write(new Map(Object.entries(files)));
  for (const { config, ragen } of algorithms) {
    if (ragen.verdict === "same") continue;
    const what = ragen.verdict === "none" ? "has no counterpart" : "runs with differences";
    out.progress(`${config.name} ${what} in RAGEN: see COUNTERPARTS.md`);
  }
  for (const name of outside) {
    out.progress(`${name} has no counterpart in RAGEN or verl: see COUNTERPARTS.md`);
  }
  for (const { config } of algorithms.filter(({ verlKeys }) => needsPlugin(verlKeys))) {
    out.progress(`${config.name} on verl: bash ${args.string("out")}/verl.sh ${config.name}`);
  }
  const verdicts = algorithms.map(({ config, ragen, verl }) => ({
    name: config.name,
    ragen: ragen.verdict,
    verl: verl.verdict,
  }));
  const none = outside.map((name) => ({ name, ragen: "none", verl: "none" }));
  out.json({
    out: args.string("out"),
    files: Object.keys(files),
    algorithms: [...verdicts, ...none],
  });
};

const exportPython: Command = async (argv, out) => {
  const args = parseArgs(argv, { out: { type: "string" } });
  if (args.words.length > 0)
    throw new InputError(`export python takes no argument ${show(args.words[0])}`);
  if (outFolder(args) === undefined) throw new InputError("option --out DIR is missing");
  const files = await pythonFiles(PLUGIN_FILES);
  new OutputFolder(args.string("out")!, null).write(files);
  out.json({ out: args.string("out"), files: [...files.keys()] });
};

/** Files of public/python by name. */
async function pythonFiles(names: readonly string[]): Promise<Map<string, string>> {
  const texts = names.map(async (name) => {
    const bytes = await readAsset(`python/${name}`);
    return [name, new TextDecoder().decode(bytes)] as const;
  });
  return new Map(await Promise.all(texts));
}
