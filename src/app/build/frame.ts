/**
 * The page's first screen as plain HTML in index.html: header, title and first sentences of the first notebook, its figure and the run
 * bar, in the boxes that they will have. It is painted before any script of the page is asked for; `first/liveFrame.tsx` makes it
 * answer, and `App.tsx` takes it away when it shows the same. Each lesson's first step is a small file of its own, which
 * `public/frame.js` puts into the frame where the address names the lesson.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import type * as Markup from "../first/markup.ts";

const MARKUP = "src/app/first/markup.ts";
const NOTEBOOKS = "notebooks";
const NOTEBOOK = `${NOTEBOOKS}/first.md`;
/** Folder of the lessons' first steps, beside the page. */
const LESSONS = "lessons";
/** Where index.html has the frame. */
const PLACE = "<!--frame-->";
/** Where `public/frame.js` finds addresses and keys. */
const KNOWN_PLACE = 'data-known=""';

export function framePlugin(root: string): Plugin {
  let markup: Promise<typeof Markup> | undefined;
  const readFile = (path: string) => readFileSync(join(root, "public", path), "utf8");
  const made = () => (markup ??= bundled(root));
  return {
    name: "turnbook-frame",
    transformIndexHtml: {
      order: "pre",
      handler: async (html) => {
        if (!html.includes(PLACE)) return html;
        const { firstMarkup, BEFORE_PAINT } = await made();
        const known = JSON.stringify(BEFORE_PAINT);
        const escaped = known.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
        return html
          .replace(KNOWN_PLACE, () => KNOWN_PLACE.replace('""', () => `"${escaped}"`))
          .replace(PLACE, () => firstMarkup(readFile(NOTEBOOK), readFile));
      },
    },
    async generateBundle() {
      const { lessonMarkup } = await made();
      for (const file of readdirSync(join(root, "public", NOTEBOOKS))) {
        const { name, ext } = parse(file);
        const source = ext === ".md" && lessonMarkup(name, readFile(`${NOTEBOOKS}/${file}`));
        if (source) this.emitFile({ type: "asset", fileName: `${LESSONS}/${name}.html`, source });
      }
    },
  };
}

/** With a React of its own: that of the process may be made for another mode. */
async function bundled(root: string): Promise<typeof Markup> {
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: "error",
    mode: "production",
    oxc: { jsx: { runtime: "automatic", development: false } },
    define: { "process.env.NODE_ENV": '"production"' },
    ssr: { noExternal: true },
    build: { ssr: join(root, MARKUP), write: false, rolldownOptions: { output: ONE_FILE } },
  })) as Rolldown.RolldownOutput;
  const folder = mkdtempSync(join(tmpdir(), "turnbook-frame-"));
  const file = join(folder, "markup.mjs");
  writeFileSync(file, output[0].code);
  try {
    return (await import(pathToFileURL(file).href)) as typeof Markup;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ONE_FILE = { format: "esm", codeSplitting: false } as const;
