/** `reward webshop --case FILE`: the reward of one purchase, term by term. */
import { rewardOfCase } from "../env/webshop/rewardCase.ts";
import { InputError } from "../numeric/inputError.ts";
import { parseArgsOf } from "./args.ts";
import type { Command } from "./command.ts";
import { readJsonFile } from "./readFile.ts";

export const rewardCommand: Command = async (argv, out) => {
  const args = parseArgsOf("reward", "webshop", argv, { case: { type: "string" } });
  const path = args.string("case");
  if (path === undefined) throw new InputError("option --case FILE is missing");
  out.json(rewardOfFile(path));
};

function rewardOfFile(path: string) {
  const json = readJsonFile("option --case", path);
  try {
    return rewardOfCase(json);
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${path}: ${error.message}`);
    throw error;
  }
}
