/**
 * `record shopper RUN --out FILE [--command TEXT]`: a trained model's episodes in the shop, chosen
 * by rule from a stored run. The text is the command that trained it.
 */
import { RunLog } from "../../reading/log/runLog.ts";
import { shopperOf } from "../../reading/shop/shopper.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { parseArgs, userPath } from "../args.ts";
import type { Command } from "../command.ts";
import { keptLog } from "../keptRun.ts";
import { replaceFile } from "../wholeFile.ts";

export const shopperCommand: Command = async (argv, out) => {
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
