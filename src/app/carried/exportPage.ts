/** A notebook as one web page that holds all it needs, and that still trains its models: `carriedHtml.ts` writes it, `takeCarried.ts` reads it. */
import { parseNotebook } from "../../notebook/document.ts";
import { cellsWith, definitionsIn } from "../../notebook/cell.ts";
import { readExperiment } from "../../notebook/cells/experiment/experiment.ts";
import { recordedSource } from "../../reading/log/columnar.ts";
import { rawOf } from "../../reading/log/rawRun.ts";
import { checkpointFolder } from "../../spec/checkpointFolder.ts";
import { base64Of } from "../../ui/base64.ts";
import { pageFiles } from "../../ui/parts/partFiles.ts";
import { OPENING, textAsShown, type OpenBook } from "../book/openBook.ts";
import { fetchServed } from "../experiments.ts";
import { carriedHtml, type CarriedHashes, type CarriedPage } from "./carriedHtml.ts";
import { carriedRunFolder, LINES } from "./carriedRuns.ts";

/** Where the build has laid what every exported page is made of. */
const MADE = "carried";

/** The page's text. @param withRuns also what was trained or recorded. @throws Error naming a file that does not come */
export async function exportPage(book: OpenBook, withRuns: boolean): Promise<string> {
  const text = textAsShown(book);
  const { title } = book.store.getState();
  const [page, files] = await Promise.all([madePage(), neededFiles(text)]);
  const blobs = new Map([[OPENING, new Blob([text])], ...files]);
  if (withRuns) for (const [path, content] of await shownRuns(book)) blobs.set(path, content);
  const coded: [string, string][] = [];
  for (const [path, content] of blobs) coded.push([path, await base64Of(content)]);
  return carriedHtml(title, page, Object.fromEntries(coded));
}

async function madePage(): Promise<CarriedPage> {
  const text = async (name: string) => (await fetchServed(`${MADE}/${name}`)).text();
  const [script, style, hashes] = await Promise.all([
    text("page.js"),
    text("page.css"),
    text("hashes.json"),
  ]);
  return { script, style, hashes: JSON.parse(hashes) as CarriedHashes };
}

/** Figures, and the models that the experiments start from. */
async function neededFiles(text: string): Promise<[string, Blob][]> {
  const { cells } = parseNotebook(text).notebook;
  const definitions = definitionsIn(cells);
  const folders = new Set(
    cellsWith(cells, "hasRun").map(
      ({ body }) => `${checkpointFolder(readExperiment(body, definitions).spec)}/`,
    ),
  );
  const { models = [], figures = [] } = pageFiles() ?? {};
  const isNeeded = (file: string) => folders.has(file.slice(0, file.lastIndexOf("/") + 1));
  const paths = [...figures, ...models.filter(isNeeded)];
  return Promise.all(
    paths.map(async (path): Promise<[string, Blob]> => [
      path,
      await (await fetchServed(path)).blob(),
    ]),
  );
}

/** Of every experiment the run that is shown, as far as its bytes are there. */
async function shownRuns({ experiments }: OpenBook): Promise<[string, Blob][]> {
  const files: [string, Blob][] = [];
  for (const [id, { store }] of experiments.getState().map) {
    const { log } = store.getState().view;
    const folder = carriedRunFolder(id);
    const source = recordedSource(log);
    for (const [name, bytes] of (await source?.files()) ?? [])
      files.push([`${folder}${name}`, new Blob([bytes as Uint8Array<ArrayBuffer>])]);
    const raw = source ? null : rawOf(log);
    if (raw?.isWhole && log.version > 0)
      files.push([`${folder}${LINES}.gz`, await packed(await raw.blob())]);
  }
  return files;
}

function packed(lines: Blob): Promise<Blob> {
  return new Response(lines.stream().pipeThrough(new CompressionStream("gzip"))).blob();
}
