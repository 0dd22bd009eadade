/** At build: workers as text in the page's script, each bundled as one classic script, since modules are refused in files and frames. */
import { dirname, join, resolve } from "node:path";
import { build, type Plugin, type Rolldown } from "vite";

const STARTER = "src/runtime/carried.ts";
/** Only this one fetches files of the site. */
const TRAINING = "/runtime/worker.ts";
const WORKER =
  /new Worker\(\s*new URL\("([^"]+)", import\.meta\.url\),\s*\{\s*type: "module",?\s*\},?\s*\)/g;
const SCRIPT_OF = "\0classic-worker:";

/** @param texts by the path of a worker's source; a worker may start others. */
export function classicWorkers(root: string, texts = new Map<string, Promise<string>>()): Plugin {
  return {
    name: "turnbook-classic-workers",
    enforce: "pre",
    resolveId: (id) => (id.startsWith(SCRIPT_OF) ? id : null),
    load: async (id) => {
      if (!id.startsWith(SCRIPT_OF)) return null;
      const path = id.slice(SCRIPT_OF.length);
      const text = texts.get(path) ?? scriptOf(root, path, texts);
      texts.set(path, text);
      return `export default ${JSON.stringify(await text)};`;
    },
    transform: (code, id) => {
      const paths = [...code.matchAll(WORKER)].map(([, path]) => resolve(dirname(id), path!));
      if (paths.length === 0) return null;
      const imports = paths.map(
        (path, i) => `import script${i} from ${JSON.stringify(SCRIPT_OF + path)};`,
      );
      const starter = `import { carriedWorker } from ${JSON.stringify(join(root, STARTER))};`;
      let n = 0;
      const started = code.replace(WORKER, () => {
        const i = n++;
        return `carriedWorker(script${i}, ${paths[i]!.endsWith(TRAINING)})`;
      });
      return { code: [starter, ...imports, started].join("\n"), map: null };
    },
  };
}

/** Build options of one classic script, for the page or a worker. */
export const ONE_SCRIPT = {
  target: "es2022",
  // Wasm files and fonts are inlined in the script and the style sheet.
  assetsInlineLimit: Number.MAX_SAFE_INTEGER,
  cssCodeSplit: false,
  modulePreload: false,
} as const;

export const CLASSIC = {
  output: { format: "iife", codeSplitting: false },
  // import.meta is unavailable, and nothing uses it any more.
  checks: { emptyImportMeta: false },
} as const;

/** Leaves out what no page requests: the interpreter's second address of its binary, and fonts for browsers without woff2. */
export const dropUnused: Plugin = {
  name: "turnbook-drop-unused",
  enforce: "pre",
  transform: (code, id) => {
    if (id.includes("quickjs-wasmfile") && !id.includes("?"))
      return code.replace(/new URL\("[^"]+\.wasm", *import\.meta\.url\)(\.href)?/g, '""');
    if (id.endsWith("katex.min.css"))
      return code.replace(/,url\([^)]+\) format\("(woff|truetype)"\)/g, "");
    return null;
  },
};

async function scriptOf(
  root: string,
  input: string,
  texts: Map<string, Promise<string>>,
): Promise<string> {
  const { output } = (await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: "error",
    mode: "production",
    plugins: [classicWorkers(root, texts), dropUnused],
    build: { ...ONE_SCRIPT, write: false, rolldownOptions: { ...CLASSIC, input } },
  })) as Rolldown.RolldownOutput;
  return output[0].code;
}
