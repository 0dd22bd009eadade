/** `record opening RECORDING --out FILE`: the opening page's episode, chosen by rule from a columnar recording. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MANIFEST } from "../../interchange/columnar/manifest.ts";
import { openingOf, OPENING_RULE } from "../../reading/openingChoice.ts";
import { readColumnar } from "../../reading/log/columnar.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { parseArgs, userPath } from "../args.ts";
import type { Command } from "../command.ts";
import { replaceFile } from "../wholeFile.ts";

export const openingCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, { out: { type: "string" } });
  const [folder, ...rest] = args.words;
  const file = args.string("out");
  if (folder === undefined || rest.length > 0)
    throw new InputError(`record opening takes one recording; got ${show(args.words.join(" "))}`);
  if (file === undefined) throw new InputError("record opening needs --out FILE");
  const beside = userPath(folder);
  const read = (name: string) => readFileSync(join(beside, name));
  const { log, source } = await readColumnar(read(MANIFEST).toString("utf8"), (name) =>
    Promise.resolve(new Uint8Array(read(name))),
  );
  await readEpisodes(log);
  const { fingerprint } = source.check;
  const command = `npm run -s turnbook -- record opening ${argv.join(" ")}`;
  const opening = openingOf(log, source.truths, { command, fingerprint });
  if (!opening) throw new InputError(`no episode of ${folder} fits the rule: ${OPENING_RULE}`);
  replaceFile(userPath(file), `${JSON.stringify(opening, null, 1)}\n`);
  out.json({ out: file, ...opening.at, candidates: opening.candidates });
};

/** A columnar recording's episodes are loaded when they are first requested. */
export async function readEpisodes(log: RunLog): Promise<void> {
  for (const algorithm of log.algorithms)
    for (const iteration of log.iterationsWithEpisodes(algorithm)) {
      log.episodes(algorithm, iteration);
      while (log.isReading(algorithm, iteration)) await new Promise((done) => setTimeout(done, 5));
    }
}
