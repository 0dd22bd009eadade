/**
 * `record pack RUN --out DIR`: a run folder, a log or a recording of lines as a columnar recording
 * for the page. `record train SPEC --out DIR`: trains and packs. `record seeds DIR... --out FILE`:
 * runs that differ in their seeds as one band. `record opening RECORDING --out FILE`: the opening
 * page's episode. `record shopper RUN --out FILE`: episodes of a trained model in the shop, to
 * watch.
 */
import { InputError, show } from "../../numeric/inputError.ts";
import type { Command } from "../command.ts";
import { openingCommand } from "./openingCommand.ts";
import { packCommand } from "./packCommand.ts";
import { shopperCommand } from "./shopperCommand.ts";
import { seedsCommand } from "./seedsCommand.ts";
import { recordTrainCommand } from "./trainCommand.ts";

const COMMANDS: Record<string, Command> = {
  pack: packCommand,
  train: recordTrainCommand,
  seeds: seedsCommand,
  opening: openingCommand,
  shopper: shopperCommand,
};

export const recordCommand: Command = async (argv, out) => {
  const [what, ...rest] = argv;
  const command = what !== undefined && Object.hasOwn(COMMANDS, what) ? COMMANDS[what] : undefined;
  if (!command)
    throw new InputError(
      `record needs one of ${Object.keys(COMMANDS).join(", ")}; got ${show(what ?? "")}`,
    );
  return command(rest, out);
};
