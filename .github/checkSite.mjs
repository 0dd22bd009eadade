// node .github/checkSite.mjs FOLDER PATH: serves a built site below a path, and asks for every file its pages name.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const [folder = "dist", path = "/turnbook/"] = process.argv.slice(2);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const inside = pathname.startsWith(path) ? normalize(pathname.slice(path.length)) : null;
  if (inside === null || inside.startsWith("..")) return void response.writeHead(404).end();
  const file = inside === "." || inside === "" ? "index.html" : inside;
  readFile(join(folder, file)).then(
    (bytes) =>
      response
        .writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" })
        .end(bytes),
    () => response.writeHead(404).end(),
  );
});
await new Promise((resolve) => server.listen(0, resolve));
const site = `http://localhost:${server.address().port}${path}`;

/** Addresses in a text: what a page loads, and what its scripts and styles load in turn. (Sources that the
    page shows as text name .ts files.) */
const NAMED = {
  html: /(?:src|href)="([^"#]+)"/g,
  javascript: /(?:from|import)\s*\(?\s*["`](\.[\w./-]+\.m?js)["`]/g,
  css: /url\(["']?([\w./-]+)["']?\)/g,
};
const seen = new Set();
const missing = [];

async function visit(address) {
  if (seen.has(address)) return;
  seen.add(address);
  const answer = await fetch(address);
  if (!answer.ok) return void missing.push(address);
  const kind = Object.keys(NAMED).find((one) => answer.headers.get("content-type").includes(one));
  if (!kind) return;
  for (const [, path] of (await answer.text()).matchAll(NAMED[kind])) {
    const named = new URL(path, address);
    if (named.protocol === "http:" && named.hostname === "localhost") await visit(named.href);
  }
}

await visit(site);
server.close();
console.log(`${seen.size} files below ${path}, ${missing.length} missing`);
if (seen.size < 3) missing.push("too few files: is this a built site?");
for (const address of missing) console.error(`missing: ${address}`);
process.exitCode = missing.length > 0 ? 1 : 0;
