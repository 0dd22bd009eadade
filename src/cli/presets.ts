/** `spec NAME [--set FIELD=VALUE ...]`: the full spec of a preset, changed. `presets`: one per line. */
import { InputError } from "../numeric/inputError.ts";
import { listPresets, presetNames, presetSpec } from "../spec/presets.ts";
import { parseArgs } from "./args.ts";
import type { Command } from "./command.ts";
import { SET_OPTION, withSettings } from "./trainOptions.ts";

export const specCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, { set: SET_OPTION });
  const { words } = args;
  if (words.length !== 1) {
    throw new InputError(`spec takes one preset name; allowed: ${presetNames.join(", ")}`);
  }
  out.json(withSettings(presetSpec(words[0]!), args));
};

export const presetsCommand: Command = async (argv, out) => {
  const { words } = parseArgs(argv, {});
  if (words.length > 0) throw new InputError(`presets takes no argument, got "${words[0]}"`);
  for (const preset of listPresets()) out.json(preset);
};
