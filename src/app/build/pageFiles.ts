/** At build: writes into the page which files each of its parts needs, so that they can be loaded before they are used. */
import { readdirSync } from "node:fs";
import { join, parse } from "node:path";
import type { Plugin, Rolldown } from "vite";
import { FILES_ID, type PageFiles } from "../../ui/parts/partFiles.ts";

type Bundle = Rolldown.OutputBundle;
type OutputChunk = Rolldown.OutputChunk;

/**
 * Loaded by the entry once the first screen is painted: the part that makes it interactive, and the
 * page.
 */
export const AT_FIRST = ["/app/first/liveFrame.tsx", "/app/start.tsx"];
/** Folders under public/ whose files parts of the page read on demand. */
const MODELS = "models";
const FIGURES = "figures";

export function pageFilesPlugin(root: string): Plugin {
  return {
    name: "turnbook-page-files",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle, chunk, path }) => {
        if (path !== "/index.html") return [];
        const served = { models: modelFiles(root), figures: figureFiles(root) };
        const list = { ...listFiles(bundle!, chunk!), ...served };
        const attrs = { type: "application/json", id: FILES_ID };
        return [{ tag: "script", attrs, children: JSON.stringify(list), injectTo: "body" }];
      },
    },
  };
}

function modelFiles(root: string): string[] {
  const files = readdirSync(join(root, "public", MODELS), { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => `${MODELS}/${parse(parentPath).base}/${name}`)
    .sort();
}

function figureFiles(root: string): string[] {
  return readdirSync(join(root, "public", FIGURES))
    .sort()
    .map((name) => `${FIGURES}/${name}`);
}

/** @throws Error if two parts have one name. */
function listFiles(
  bundle: Bundle,
  entry: OutputChunk,
): Pick<PageFiles, "files" | "parts" | "later"> {
  const chunks = Object.values(bundle).filter((file): file is OutputChunk => file.type === "chunk");
  const first = chunks.filter(({ facadeModuleId: id }) =>
    AT_FIRST.some((end) => id?.endsWith(end)),
  );
  const atFirst = new Set([entry, ...first].flatMap((chunk) => [...filesOf(chunk, bundle)]));
  const files = new Map<string, number>();
  const place = (file: string) => {
    if (!files.has(file)) files.set(file, files.size);
    return files.get(file)!;
  };
  const parts: PageFiles["parts"] = {};
  for (const chunk of chunks.filter(({ isDynamicEntry }) => isDynamicEntry)) {
    const { name } = parse(chunk.facadeModuleId!);
    if (parts[name]) throw new Error(`Two parts of the page are named ${name}.`);
    parts[name] = [...filesOf(chunk, bundle)].filter((file) => !atFirst.has(file)).map(place);
  }
  // Scripts that are not chunks belong to workers. Of a font's formats browsers use the first.
  const later = Object.values(bundle)
    .filter(({ type, fileName }) => type === "asset" && /\.(js|wasm|woff2)$/.test(fileName))
    .map(({ fileName }) => place(fileName));
  return { files: [...files.keys()], parts, later };
}

/** A chunk, all its static imports, and their style sheets. */
function filesOf(chunk: OutputChunk, bundle: Bundle): Set<string> {
  const found = new Set<string>();
  const visit = (fileName: string) => {
    const one = bundle[fileName];
    if (found.has(fileName) || one?.type !== "chunk") return;
    found.add(fileName);
    one.viteMetadata?.importedCss.forEach((css) => found.add(css));
    one.imports.forEach(visit);
  };
  visit(chunk.fileName);
  return found;
}
