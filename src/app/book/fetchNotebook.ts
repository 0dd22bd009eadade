/** A notebook of another site: its address, and its text, fetched with the reader's consent. */
import { InputError, show } from "../../numeric/inputError.ts";
import type { RemoteAddress } from "./bookAddress.ts";
import { words as all } from "./words.ts";

const words = all.remote;

/** Bytes of UTF-8: as long as the longest notebook that is read, see MAX_LENGTH of the document. */
export const MOST_BYTES = 3_000_000;
/** Milliseconds for a server to answer. */
const TIME_LIMIT = 30_000;

const REPOSITORY = /^([\w.-]{1,39})\/([\w.-]{1,100})(?:@([\w./-]{1,100}))?\/(.+)$/;

/** The https address that is fetched. A repository's file may name a branch, tag or commit: owner/repo@v1/path. @throws InputError */
export function remoteUrl({ scheme, at }: RemoteAddress): URL {
  const url = scheme === "gh:" ? repositoryFile(at) : URL.canParse(at) ? new URL(at) : null;
  if (!url) throw new InputError(words.noAddress(show(at)));
  if (url.protocol !== "https:") throw new InputError(words.notHttps(show(at)));
  if (url.username !== "" || url.password !== "") throw new InputError(words.password(url.host));
  return url;
}

function repositoryFile(at: string): URL {
  const [, owner, repository, ref = "HEAD", path] = REPOSITORY.exec(at) ?? [];
  const parts = [owner, repository, ...ref.split("/"), ...(path ?? "").split("/")];
  if (!path || parts.some((part) => !part || /^\.{1,2}$/.test(part)))
    throw new InputError(words.noRepository(show(at)));
  const file = parts.map((part) => encodeURIComponent(part!)).join("/");
  return new URL(`https://raw.githubusercontent.com/${file}`);
}

/** Its text. Sends neither cookies nor the referring page. @throws Error with a sentence for the reader. */
export async function fetchNotebook(url: URL): Promise<string> {
  const signal = AbortSignal.timeout(TIME_LIMIT);
  const answer = await ask(url, signal);
  refuseOther(answer, url);
  return textOf(await bytesOf(answer, url.host, signal), url.host);
}

async function ask(url: URL, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, {
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      signal,
    });
  } catch {
    throw new Error(signal.aborted ? words.late(url.host) : words.unreachable(url.host));
  }
}

function refuseOther({ ok, status, headers, url: last }: Response, { host }: URL): void {
  if (!ok) throw new Error(words.status(host, status));
  if (last !== "" && !last.startsWith("https:")) throw new Error(words.notHttps(show(last)));
  const type = (headers.get("content-type") ?? "text/plain").toLowerCase();
  if (/^text\/html/.test(type)) throw new Error(words.webPage(host));
  if (!/^(text\/|application\/octet-stream)/.test(type)) throw new Error(words.notText(host));
  if (Number(headers.get("content-length") ?? 0) > MOST_BYTES) throw new Error(words.large(host));
}

/** Piece by piece: the length that a server gives need not be true. */
async function bytesOf(answer: Response, host: string, signal: AbortSignal): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  const reader = answer.body?.getReader();
  let size = 0;
  for (;;) {
    const next = await reader?.read().catch(() => {
      throw new Error(signal.aborted ? words.late(host) : words.broken(host));
    });
    if (!next || next.done) return pieces;
    size += next.value.length;
    if (size > MOST_BYTES) {
      void reader!.cancel().catch(() => {});
      throw new Error(words.large(host));
    }
    pieces.push(next.value);
  }
}

function textOf(pieces: readonly Uint8Array[], host: string): string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join("");
    const whole = text + decoder.decode();
    if (!whole.includes("\0")) return whole;
  } catch {
    // Reported below.
  }
  throw new Error(words.notText(host));
}
