/** `spec NAME`: the full spec of a preset. `presets`: one per line. */
import { InputError } from "../numeric/inputError.ts";
import { listPresets, presetNames, presetSpec } from "../spec/presets.ts";
import { parseArgs } from "./args.ts";
import type { Command } from "./command.ts";

export const specCommand: Command = async (argv, out) => {
  const { words } = parseArgs(argv, {});
  if (words.length !== 1) {
    throw new InputError(`spec takes one preset name; allowed: ${presetNames.join(", ")}`);
  }
  out.json(presetSpec(words[0]!));
};

export const presetsCommand: Command = async (argv, out) => {
  const { words } = parseArgs(argv, {});
  if (words.length > 0) throw new InputError(`presets takes no argument, got "${words[0]}"`);
  for (const preset of listPresets()) out.json(preset);
};
