/** `watch DIR [--port N]`: the page and a folder that a trainer writes, on this machine alone; the page follows the folder as it grows. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import { InputError, show } from "../numeric/inputError.ts";
import { parseArgs, userPath } from "./args.ts";
import { pageFolder } from "./assets.ts";
import type { Command } from "./command.ts";
import { serveWatched } from "./watchServer.ts";

export const watchCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, { port: { type: "integer", min: 1, max: 65535 } });
  const [dir, ...more] = args.words;
  if (dir === undefined || more.length > 0)
    throw new InputError(`watch takes one folder; got ${show(args.words.join(" "))}`);
  const folder = userPath(dir);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new InputError(`there is no folder ${show(dir)}`);
  const { address, closed } = await serveWatched(pageFolder(), folder, args.number("port"));
  out.json({
    watching: folder,
    address: `${address}?watch=${encodeURIComponent(basename(folder))}#v1/nano?view=lens`,
  });
  await closed;
};
