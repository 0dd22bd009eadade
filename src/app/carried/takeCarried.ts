/** Serves embedded files to all fetches of the page, as if from a server. */
import { carriedFile, type Carried } from "../../runtime/carried.ts";
import { CARRIED_ID } from "./carriedHtml.ts";

/** From the page's own text, unless a script has provided them. */
export function takeCarried(): void {
  globalThis.turnbookCarried ??= {
    files: carriedIn(document.getElementById(CARRIED_ID)?.textContent),
    site: document.baseURI,
  };
  globalThis.fetch = fetchCarried(globalThis.fetch.bind(globalThis), document.baseURI);
}

function carriedIn(text: string | null | undefined): Carried["files"] {
  return text ? (JSON.parse(text) as Carried["files"]) : {};
}

/** @param base the page's address: files next to or below it may be embedded. */
export function fetchCarried(other: typeof fetch, base: string): typeof fetch {
  const folder = new URL(".", base).href;
  return (what, options) => {
    const url = what instanceof Request ? what.url : new URL(what, base).href;
    const answer = url.startsWith(folder) ? answerOf(url.slice(folder.length)) : null;
    if (answer) return Promise.resolve(answer);
    // There are no other files next to a self-contained page.
    return /^(https?|data|blob):/.test(url) ? other(what, options) : Promise.resolve(missing());
  };
}

const missing = () => new Response(null, { status: 404 });

function answerOf(path: string): Response | null {
  const plain = carriedFile(path);
  if (plain) return new Response(plain);
  const packed = carriedFile(`${path}.gz`);
  return packed && new Response(new Blob([packed]).stream().pipeThrough(unpacking()));
}

const unpacking = () => new DecompressionStream("gzip");
