/** At build: the service worker, with the list of all files that it stores; see `offline/serviceWorker.ts`. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { build, type Plugin, type Rolldown } from "vite";

const SOURCE = "src/app/offline/serviceWorker.ts";
/** Maximum bytes that a first visit stores. */
const BUDGET = 14_000_000;
/** Stored at their first use: models that no lesson trains, weights of recorded runs, and large files. */
const LATER = /^models\/(?![^/]*tokenizer\/)|\.safetensors$|^(open-questions|referee)/;
const AT_ONCE = /^models\/(nano-sokoban|nano-webshop|talker-nano-sokoban)\//;
/** Never requested by a browser that has what it needs, or not part of the page. */
const LEFT_OUT = /^(sw\.js|test\/|python\/|assets\/.*\.(ttf|woff|map)$)/;
/** Vite's names contain a hash of the content. */
const HASHED = /^assets\/.*-[\w-]{8}\.\w+$/;

interface KeptFiles {
  precache: { url: string; revision: string | null }[];
  later: Record<string, string>;
}

/** @throws Error if a first visit would store more than the budget. */
export function keptFiles(folder: string): KeptFiles {
  const kept: KeptFiles = { precache: [], later: {} };
  let bytes = 0;
  for (const path of pathsIn(folder).filter((one) => !LEFT_OUT.test(one))) {
    const content = readFileSync(join(folder, path));
    const revision = createHash("sha256").update(content).digest("hex").slice(0, 16);
    if (LATER.test(path) && !AT_ONCE.test(path)) kept.later[path] = revision;
    else {
      bytes += content.length;
      kept.precache.push({ url: path, revision: HASHED.test(path) ? null : revision });
    }
  }
  if (bytes > BUDGET)
    throw new Error(`A first visit would keep ${bytes} bytes; it may keep ${BUDGET}.`);
  return kept;
}

function pathsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join("/"))
    .sort();
}

export function offlinePlugin(root: string): Plugin {
  return {
    name: "turnbook-offline",
    apply: "build",
    // Earlier, the written files are incomplete.
    writeBundle: {
      order: "post",
      sequential: true,
      handler: async ({ dir }) => {
        const { precache, later } = keptFiles(dir!);
        writeFileSync(join(dir!, "sw.js"), await bundled(root, precache, later));
      },
    },
  };
}

async function bundled(
  root: string,
  precache: KeptFiles["precache"],
  later: KeptFiles["later"],
): Promise<string> {
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: "error",
    mode: "production",
    publicDir: false,
    define: {
      "process.env.NODE_ENV": '"production"',
      __PRECACHE__: JSON.stringify(precache),
      __LATER__: JSON.stringify(later),
    },
    build: {
      write: false,
      target: "es2022",
      rolldownOptions: { input: join(root, SOURCE), output: { format: "iife" } },
    },
  })) as Rolldown.RolldownOutput;
  return output[0].code;
}
