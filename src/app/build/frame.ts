/**
 * The page's first words as plain HTML in index.html: header, and title and first sentences of the first notebook, in the boxes that they
 * will have. They are painted before any script of the page is asked for; `App.tsx` takes them away when it shows the same.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import type { Plugin } from "vite";
import { appWords } from "../strings.ts";

const NOTEBOOK = "public/notebooks/first.md";
/** Where index.html has the frame. */
const PLACE = "<!--frame-->";

export function framePlugin(root: string): Plugin {
  return {
    name: "turnbook-frame",
    transformIndexHtml: {
      order: "pre",
      handler: (html) =>
        html.replace(PLACE, () => frameOf(readFileSync(join(root, NOTEBOOK), "utf8"))),
    },
  };
}

/** `notebook`: its text; what stands before its first cell is shown. Nobody can press anything in it, and nothing reads it aloud. */
function frameOf(notebook: string): string {
  const words = new MarkdownIt({ html: false, typographer: true }).render(opening(notebook));
  return (
    `<div id="frame" aria-hidden="true"><div class="page-header"><span class="brand">` +
    `<svg width="22" height="22" viewBox="0 0 22 22"><rect width="22" height="22" rx="5" fill="var(--go)"/></svg>` +
    `${appWords.title}</span><nav>${links()}</nav></div>` +
    `<main><article class="notebook reading"><div class="prose">${words}</div><div class="opening"></div></article></main></div>`
  );
}

function opening(notebook: string): string {
  const cell = notebook.indexOf("\n```");
  return cell < 0 ? notebook : notebook.slice(0, cell);
}

function links(): string {
  return Object.values(appWords.links)
    .map((name, i) => `<a${i === 0 ? ' aria-current="page"' : ""}>${name}</a>`)
    .join("");
}
