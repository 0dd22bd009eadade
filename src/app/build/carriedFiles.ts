/** At build: the parts of an exported notebook (`carried/`), and `embed.html`, the page for frames without an origin. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";
import { carriedDocument, carriedPolicy, type CarriedHashes } from "../carried/carriedHtml.ts";

export const SCRIPT = "carried/page.js";
export const STYLE = "carried/page.css";
const HASHES = "carried/hashes.json";
const FILES = "carried/files.js";

/** Files of public/ embedded in embed.html: the opening notebook, its figures and curves, and the model that it trains. */
const EMBEDDED = [
  "notebooks",
  "figures",
  "models/nano-sokoban",
  "runs/nano",
  "runs/nano-seeds.json",
];
/** Needed only for questions to the recorded models, and large. */
const LEFT = /^weights-/;

export function carriedFiles(root: string): Plugin {
  return {
    name: "turnbook-carried-files",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const script = bundle[SCRIPT] as Rolldown.OutputChunk;
        const style = bundle[STYLE] as Rolldown.OutputAsset;
        script.code = inlinable(script.code);
        style.source = withOwnFonts(String(style.source));
        const hashes: CarriedHashes = {
          script: hashOf(script.code),
          style: hashOf(style.source),
        };
        const emit = (fileName: string, source: string) =>
          this.emitFile({ type: "asset", fileName, source });
        emit(HASHES, JSON.stringify(hashes));
        emit(FILES, filesScript(join(root, "public")));
        emit("embed.html", embedPage());
      },
    },
  };
}

/** The same program without any text that ends a script element: these characters occur only in strings and patterns. */
function inlinable(code: string): string {
  return code.replace(/<(?=!--|\/?script)/gi, "\\x3C");
}

/** With embedded fonts: they never arrive late, so none is replaced. */
function withOwnFonts(style: string): string {
  return style.replace(/font-display:\s*optional/g, "font-display:block");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function filesScript(folder: string): string {
  const files = Object.fromEntries(
    EMBEDDED.flatMap((path) => filesBelow(folder, path)).map((path) => [
      path,
      readFileSync(join(folder, path)).toString("base64"),
    ]),
  );
  return `self.turnbookCarried = { files: ${JSON.stringify(files)}, site: document.baseURI };`;
}

/** A folder's own files: teachers' files in a subfolder are not public. */
function filesBelow(folder: string, path: string): string[] {
  if (statSync(join(folder, path)).isFile()) return [path];
  const entries = readdirSync(join(folder, path), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && !LEFT.test(entry.name));
  return names.map(({ name }) => `${path}/${name}`).sort();
}

function embedPage(): string {
  // If the host allows other origins to read them, models that are not embedded are fetched from
  // it.
  const policy = carriedPolicy("'self'", "'self'", "'self' ");
  const scripts = [FILES, SCRIPT].map((file) => `<script src="./${file}"></script>`);
  const head = `<link rel="stylesheet" href="./${STYLE}" />`;
  return carriedDocument("Turnbook", policy, head, scripts.join("\n    "));
}
