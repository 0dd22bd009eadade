/** The folder that `turnbook watch` serves beside the page: the page's address names it. */
import type { ExperimentHandle } from "../store/hooks.ts";
import { following } from "../store/followFiles.ts";
import { rememberPath } from "../store/importFiles.ts";
import { importFiles } from "../store/imports.ts";
import { fetchServed } from "./experiments.ts";
import { isReadable } from "./importFolder.ts";

const FOLDER = "watched/";

/** See src/cli/watchServer.ts. */
interface ListedFile {
  path: string;
  size: number;
  modified: number;
}

let isFollowed = false;

/** Shows its run in the experiment, once for as long as the page is open. */
export function followWatched(experiment: ExperimentHandle): void {
  const name = new URLSearchParams(location.search).get("watch");
  if (name === null || isFollowed) return;
  isFollowed = true;
  const known = new Map<string, File>();
  // The folder may have no file yet: until then its name is all there is.
  importFiles(
    experiment,
    [new File([], name)],
    following(() => currentFiles(known)),
  );
}

async function currentFiles(known: Map<string, File>): Promise<File[]> {
  const listed = (await (await fetchServed(FOLDER)).json()) as ListedFile[];
  const read = listed.filter(({ path }) => isReadable(path));
  return Promise.all(
    read.map(async (one) => {
      const before = known.get(one.path);
      const file = isSame(one, before) ? before : await fetchGrown(one, before);
      known.set(one.path, file);
      return file;
    }),
  );
}

const isSame = ({ size, modified }: ListedFile, file: File | undefined): file is File =>
  file?.size === size && file.lastModified === modified;

/** Only what a file of lines has got since; any other is fetched anew. */
async function fetchGrown({ path, size, modified }: ListedFile, before?: File): Promise<File> {
  const grows = before && before.size < size && /\.(?:jsonl|ndjson)$/i.test(path);
  const parts: Blob[] = grows ? [before] : [];
  if (size > 0) {
    const address = FOLDER + path.split("/").map(encodeURIComponent).join("/");
    const range = `bytes=${grows ? before.size : 0}-${size - 1}`;
    parts.push(await (await fetchServed(address, { range })).blob());
  }
  const file = new File(parts, path.split("/").at(-1)!, { lastModified: modified });
  rememberPath(file, path);
  return file;
}
