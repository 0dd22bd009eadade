/** Serves a folder with no headers but the content type, and fails as it is bidden. */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { TYPES } from "./support.ts";

export interface FaultyServer {
  /** Address of the page, ending in a slash. */
  url: string;
  /** Paths asked for so far, without the leading slash. */
  asked: string[];
  /** Ends every connection and takes none until it is up again. */
  goDown(): Promise<void>;
  comeUp(): Promise<void>;
  /** Files that match are answered with 404; null for none. */
  lose(files: RegExp | null): void;
  /** Files that match are answered with the page instead, as some servers do; null for none. */
  mistake(files: RegExp | null): void;
  /** Milliseconds by which files that match come late; null for none. */
  delay(files: RegExp | null, ms?: number): void;
  close(): Promise<void>;
}

export async function serveFaulty(
  folder: string,
  headers: Record<string, string> = {},
): Promise<FaultyServer> {
  const asked: string[] = [];
  let [lost, mistaken, late]: (RegExp | null)[] = [null, null, null];
  let lateness = 0;
  const answer = async (path: string) => {
    if (late?.test(path)) await new Promise((resolve) => setTimeout(resolve, lateness));
    const file = mistaken?.test(path) ? "index.html" : path || "index.html";
    if (lost?.test(path)) return { status: 404, type: "text/plain", body: "" };
    const body = await readFile(join(folder, normalize(`/${file}`))).catch(() => null);
    if (body === null) return { status: 404, type: "text/plain", body: "" };
    return { status: 200, type: TYPES[extname(file)] ?? "application/octet-stream", body };
  };
  const start = (port: number) =>
    new Promise<Server>((resolve) => {
      const server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname.slice(1));
        asked.push(path);
        void answer(path).then(({ status, type, body }) =>
          response.writeHead(status, { "content-type": type, ...headers }).end(body),
        );
      });
      server.listen(port, "127.0.0.1", () => resolve(server));
    });
  let server: Server | null = await start(0);
  const { port } = server.address() as AddressInfo;
  const goDown = async () => {
    const ending = server;
    server = null;
    ending?.closeAllConnections();
    await new Promise<void>((resolve) => (ending ? ending.close(() => resolve()) : resolve()));
  };
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    goDown,
    comeUp: async () => void (server ??= await start(port)),
    lose: (files) => void (lost = files),
    mistake: (files) => void (mistaken = files),
    delay: (files, ms = 0) => void ([late, lateness] = [files, ms]),
    close: goDown,
  };
}
