/** The files of a part: scripts and style sheets, as listed by the build in the page. */
import { words } from "./words.ts";

/** Data that the build writes into the page (src/app/build/pageFiles.ts); all addresses are relative to the page. */
export interface PageFiles {
  files: string[];
  /** Each part's own chunk and everything it imports, as indices in `files`; without the page's initial files. */
  parts: Record<string, number[]>;
  /** Files that workers and engines fetch, and fonts. */
  later: number[];
  /** Files of public/models/. */
  models: string[];
  /** Files of public/figures/. */
  figures: string[];
}

/** Id of the element that contains them. */
export const FILES_ID = "turnbook-files";

/** Why a part failed: no answer, an answer that it does not exist, or a broken file. */
type PartTrouble = keyof typeof words.trouble;

export class PartError extends Error {
  constructor(readonly trouble: PartTrouble) {
    super(words.trouble[trouble]);
  }
}

let known: { text: string; files: PageFiles } | null = null;

/** Null if the page is served from its sources. */
export function pageFiles(): PageFiles | null {
  const text = document.getElementById(FILES_ID)?.textContent;
  if (!text) return null;
  if (known?.text !== text) known = { text, files: JSON.parse(text) as PageFiles };
  return known.files;
}

/** Addresses of files that are loaded and stay, in memory or as style sheets. */
const here = new Set<string>();

/** Files being fetched, by address: parts that load together share many. */
const fetching = new Map<string, Promise<void>>();

/** Fetches the missing files of a part's chunks, adds their style sheets to the page, and then loads it. @throws PartError */
export async function withFiles<T>(chunks: readonly string[], load: () => Promise<T>): Promise<T> {
  const list = pageFiles();
  const places = new Set(chunks.flatMap((name) => list?.parts[name] ?? []));
  const urls = [...places].map((place) => absolute(list!.files[place]!));
  const missing = urls.filter((url) => !here.has(url));
  await Promise.all(missing.map(fetchOnce));
  await Promise.all(missing.filter((url) => url.endsWith(".css")).map(addStyle));
  const loaded = await load();
  for (const url of missing) here.add(url);
  return loaded;
}

function fetchOnce(url: string): Promise<void> {
  const known = fetching.get(url);
  if (known) return known;
  const come = fetchFile(url).finally(() => fetching.delete(url));
  fetching.set(url, come);
  return come;
}

export function absolute(path: string): string {
  return new URL(path, document.baseURI).href;
}

/** @throws PartError if the answer is not the file. */
export async function fetchFile(url: string, options: RequestInit = {}): Promise<void> {
  const answer = await fetch(url, options).catch(() => null);
  if (answer === null) throw new PartError("unreachable");
  // Some servers send the page itself for missing files.
  const isPage = answer.headers.get("content-type")?.startsWith("text/html") === true;
  if (!answer.ok || isPage) throw new PartError("gone");
  // The browser only caches responses that are read to the end.
  await answer.arrayBuffer().catch(() => {
    throw new PartError("unreachable");
  });
}

/** Style sheets being loaded, by address: parts that load together share some. */
const coming = new Map<string, Promise<void>>();

/**
 * Vite would add it too, but only once: a failed sheet would be missing for good. A sheet that Vite is loading stays: Vite waits for it,
 * and without its element would wait for ever.
 */
function addStyle(href: string): Promise<void> {
  const known = coming.get(href);
  if (known) return known;
  const old = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].find(
    (link) => link.href === href,
  );
  if (old?.sheet) return Promise.resolve();
  const link = document.createElement("link");
  Object.assign(link, { rel: "stylesheet", href });
  const come = new Promise<void>((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new PartError("unreachable"));
    };
    document.head.append(link);
  }).finally(() => coming.delete(href));
  coming.set(href, come);
  return come;
}
