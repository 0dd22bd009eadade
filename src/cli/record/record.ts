/**
 * `record pack RUN --out DIR`: a run folder, a log or a recording of lines as a columnar recording
 * for the page. `record train SPEC --out DIR`: trains and packs. `record seeds DIR... --out FILE`:
 * runs that differ in their seeds as one band. `record opening RECORDING --out FILE`: the opening
 * page's episode. `record shopper RUN --out FILE`: episodes of a trained model in the shop, to
 * watch. `record truths RECORDING --iteration N`: its true values again, with what they lack.
 */
import { InputError, show } from "../../numeric/inputError.ts";
import type { Command } from "../command.ts";
import { openingCommand } from "./openingCommand.ts";
import { packCommand } from "./packCommand.ts";
import { seedsCommand } from "./seedsCommand.ts";
import { recordTrainCommand } from "./trainCommand.ts";
import { truthsCommand } from "./truthsCommand.ts";
import { RunLog } from "../../reading/log/runLog.ts";
import { shopperOf } from "../../reading/shop/shopper.ts";
import { parseArgs, userPath } from "../args.ts";
import { keptLog } from "../keptRun.ts";
import { replaceFile } from "../wholeFile.ts";

// `record shopper RUN --out FILE [--command TEXT]`: a trained model's episodes in the shop, chosen
// by rule from a stored run. The text is the command that trained it.

const shopperCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, { out: { type: "string" }, command: { type: "string" } });
  const [run, ...rest] = args.words;
  const file = args.string("out");
  if (run === undefined || rest.length > 0)
    throw new InputError(`record shopper takes one run folder; got ${show(args.words.join(" "))}`);
  if (file === undefined) throw new InputError("record shopper needs --out FILE");
  const log = new RunLog();
  for (const event of keptLog(userPath(run))) log.append(event);
  const own = `npm run -s turnbook -- record shopper ${run} --out ${file}`;
  const trained = args.string("command");
  const shopper = shopperOf(log, trained === undefined ? own : `${trained}; ${own}`);
  replaceFile(userPath(file), `${JSON.stringify(shopper, null, 1)}\n`);
  out.json({ out: file, goal: shopper.goal, episodes: shopper.episodes.length });
};

const COMMANDS: Record<string, Command> = {
  pack: packCommand,
  train: recordTrainCommand,
  seeds: seedsCommand,
  opening: openingCommand,
  shopper: shopperCommand,
  truths: truthsCommand,
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
