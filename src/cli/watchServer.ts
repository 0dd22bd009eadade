/**
 * Serves the built page and, as `watched/` beside it, what a folder holds of rollouts: read-only, on
 * 127.0.0.1, below a secret path. A page of another site can guess neither that path nor, whatever
 * name it gives this machine, pass for a local one.
 */
import { randomBytes } from "node:crypto";
import { constants, existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { InputError } from "../numeric/inputError.ts";
import { ROLLOUT_FILE } from "./openPaths.ts";

/** Names of this machine with any port: `ssh -L` may give it another. */
const LOCAL = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".md": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
};

const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "frame-ancestors 'self'",
  "cache-control": "no-store",
};

interface Watched {
  /** Of the built page, and of the rollouts; neither is reached through a symbolic link. */
  page: string;
  folder: string;
  token: string;
}

export interface WatchServer {
  /** Of the page, with the secret; ends in a slash. */
  address: string;
  close: () => void;
  /** Resolves once it is. */
  closed: Promise<void>;
}

/**
 * @param port any free one if absent
 * @throws InputError if the page is not built or the port is taken
 */
export async function serveWatched(page: string, folder: string, port = 0): Promise<WatchServer> {
  if (!existsSync(join(page, "index.html")))
    throw new InputError("the page is not built; `npm run build` builds it");
  const token = randomBytes(16).toString("base64url");
  const watched = { page: realpathSync(page), folder: realpathSync(folder), token };
  const server = createServer((request, response) => {
    // The reader may leave in the middle of a file.
    answer(watched, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", ({ message }) =>
      reject(new InputError(`option --port is ${port}; it cannot be used: ${message}`)),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${token}/`,
    close: () => void server.close().closeAllConnections(),
    closed: new Promise((resolve) => void server.once("close", resolve)),
  };
}

async function answer(
  { page, folder, token }: Watched,
  { headers, method = "", url = "" }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  const refuse = (code: number) => void response.writeHead(code).end();
  if (!LOCAL.test(headers.host ?? "")) return refuse(403);
  if (method !== "GET" && method !== "HEAD") return refuse(405);
  const [given, ...names] = namesIn(url);
  // No service worker: it would stay in the browser for an address that ends with this process.
  if (given !== token || names.length === 0 || names[0] === "sw.js") return refuse(404);
  const last = names.at(-1)!;
  if (names[0] !== "watched") {
    const path = last === "" ? [...names.slice(0, -1), "index.html"] : names;
    response.setHeader("content-type", TYPES[extname(path.at(-1)!)] ?? "application/octet-stream");
    return send(page, path, headers.range, response);
  }
  if (names.length === 2 && last === "")
    return void response.end(JSON.stringify(listFiles(folder)));
  if (!ROLLOUT_FILE.test(last)) return refuse(404);
  // Never as a page, whatever it holds.
  response.setHeader("content-type", "application/octet-stream");
  return send(folder, names.slice(1), headers.range, response);
}

/** The names in an address's path, decoded one by one; none if it is not one that a folder's files have. */
function namesIn(url: string): string[] {
  try {
    const names = url
      .replace(/[?#].*/s, "")
      .split("/")
      .slice(1)
      .map(decodeURIComponent);
    return names.some((name) => /^\.|[/\\\0]/.test(name)) ? [] : names;
  } catch {
    return [];
  }
}

/** What the page is told of each: its size in bytes, and when it was last written, in milliseconds since 1970. */
function listFiles(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ROLLOUT_FILE.test(entry.name))
    .flatMap(({ parentPath, name }) => {
      const full = join(parentPath, name);
      const found = statSync(full, { throwIfNoEntry: false });
      const path = relative(folder, full).split(sep);
      // A trainer may have taken it away since.
      if (!found || path.some((part) => part.startsWith("."))) return [];
      return [{ path: path.join("/"), size: found.size, modified: Math.floor(found.mtimeMs) }];
    });
}

/** A regular file that no symbolic link leads to, or the bytes of it that are asked for. */
async function send(
  root: string,
  names: readonly string[],
  range: string | undefined,
  response: ServerResponse,
): Promise<void> {
  const path = join(root, ...names);
  const isPlain =
    statSync(path, { throwIfNoEntry: false })?.isFile() === true && realpathSync(path) === path;
  if (!isPlain) return void response.writeHead(404).end();
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
    const start = Number(first ?? 0);
    const end = Math.min(last ? Number(last) : Infinity, size - 1);
    if (first !== undefined && start > end) return void response.writeHead(416).end();
    if (first !== undefined) response.setHeader("content-range", `bytes ${start}-${end}/${size}`);
    const length = end + 1 - start;
    response.writeHead(first === undefined ? 200 : 206, { "content-length": length });
    if (length === 0 || response.req.method === "HEAD") return void response.end();
    await pipeline(file.createReadStream({ start, end, autoClose: false }), response);
  } finally {
    await file.close();
  }
}
