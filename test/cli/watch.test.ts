/** What `watch` serves, and what it refuses. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveWatched, type WatchServer } from "../../src/cli/watchServer.ts";
import { turnbook } from "./cliSupport.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "turnbook-watch-")));
const [page, folder] = [join(base, "page"), join(base, "rollouts")];
const SECRET = '{"secret":1}\n';
let server: WatchServer;

beforeAll(async () => {
  for (const path of [page, join(page, "assets"), folder, join(folder, "a b"), join(base, "other")])
    mkdirSync(path);
  const files = {
    ...{ "page/index.html": "<p>", "page/sw.js": "1", "page/assets/a.js": "2" },
    ...{ "rollouts/1.jsonl": '{"a":1}\n', "rollouts/a b/2.jsonl": '{"b":2}\n' },
    ...{ "rollouts/.hidden.jsonl": SECRET, "rollouts/model.safetensors": SECRET },
    ...{ "rollouts/x.html": SECRET, "rollouts/empty.jsonl": "" },
    ...{ "other/3.jsonl": SECRET, "3.jsonl": SECRET },
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(base, name), text);
  symlinkSync(join(base, "3.jsonl"), join(folder, "link.jsonl"));
  symlinkSync(join(base, "other"), join(folder, "linked"));
  server = await serveWatched(page, folder);
});
afterAll(() => {
  server?.close();
  rmSync(base, { recursive: true, force: true });
});

interface Asked {
  method?: string;
  headers?: Record<string, string>;
}

/** A path as it is, which `fetch` would tidy up. */
function ask(path: string, { method = "GET", headers = {} }: Asked = {}) {
  const { hostname, port } = new URL(server.address);
  return new Promise<{ code: number; text: string; headers: NodeJS.Dict<string | string[]> }>(
    (resolve, reject) => {
      const asked = request({ hostname, port, path, method, headers }, (answer) => {
        let text = "";
        answer.on("data", (chunk) => (text += String(chunk)));
        answer.on("end", () =>
          resolve({ code: answer.statusCode!, text, headers: answer.headers }),
        );
      });
      asked.on("error", reject).end();
    },
  );
}
const secret = () => new URL(server.address).pathname;
const inside = (path: string, asked?: Asked) => ask(secret() + path, asked);

describe("it serves, below an address that cannot be guessed,", () => {
  it("the page, without a service worker", async () => {
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\/$/);
    const { code, text, headers } = await inside("");
    expect([code, text, headers["content-type"]]).toEqual([200, "<p>", "text/html; charset=utf-8"]);
    expect(await inside("?watch=rollouts")).toMatchObject({ code: 200, text: "<p>" });
    expect(await inside("assets/a.js")).toMatchObject({ code: 200, text: "2" });
    expect((await inside("sw.js")).code).toBe(404);
  });

  it("the list of the folder's rollouts, without links, hidden files and others", async () => {
    const listed = JSON.parse((await inside("watched/")).text) as { path: string; size: number }[];
    expect(listed.map(({ path, size }) => [path, size]).toSorted()).toEqual([
      ["1.jsonl", 8],
      ["a b/2.jsonl", 8],
      ["empty.jsonl", 0],
    ]);
  });

  it("each of them whole or in part, as bytes that no browser shows as a page", async () => {
    const { text, headers } = await inside("watched/a%20b/2.jsonl");
    expect([text, headers["content-type"]]).toEqual(['{"b":2}\n', "application/octet-stream"]);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    const range = (bytes: string) =>
      inside("watched/1.jsonl", { headers: { range: `bytes=${bytes}` } });
    expect(await range("1-3")).toMatchObject({ code: 206, text: '"a"' });
    expect(await range("5-")).toMatchObject({ code: 206, text: "1}\n" });
    expect((await range("5-900")).headers["content-range"]).toBe("bytes 5-7/8");
    expect((await range("8-9")).code).toBe(416);
    expect(await inside("watched/empty.jsonl")).toMatchObject({ code: 200, text: "" });
    const head = await inside("watched/1.jsonl", { method: "HEAD" });
    expect([head.code, head.text, head.headers["content-length"]]).toEqual([200, "", "8"]);
  });
});

describe("it refuses", () => {
  it("any other secret, and none", async () => {
    for (const path of ["/", "/watched/", "/watched/1.jsonl", `/${"A".repeat(22)}/`, "//", "*"])
      expect([path, (await ask(path)).code]).toEqual([path, 404]);
    expect((await ask(secret().slice(0, -2) + "/")).code).toBe(404);
  });

  it.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil:80",
    "10.0.0.1",
    "127.0.0.1@evil",
  ])("the host name %s", async (host) => {
    const { code, text } = await inside("watched/1.jsonl", { headers: { host } });
    expect([code, text]).toEqual([403, ""]);
  });

  it("no port of this machine: a tunnel has another", async () => {
    for (const host of ["localhost:8080", "127.0.0.1:9", "[::1]:7"])
      expect((await inside("watched/1.jsonl", { headers: { host } })).code).toBe(200);
  });

  it.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])("%s", async (method) => {
    expect((await inside("watched/1.jsonl", { method })).code).toBe(405);
  });

  it.each([
    ...["watched/../3.jsonl", "watched/..%2f3.jsonl", "watched/%2e%2e/3.jsonl", "../3.jsonl"],
    ...["watched/%2e%2e%2f3.jsonl", "watched/..%5c3.jsonl", "watched/a%20b/../../3.jsonl"],
    ...[
      "watched/%252e%252e/3.jsonl",
      "watched/1.jsonl%00",
      "watched/%zz.jsonl",
      "watched//1.jsonl/",
    ],
    ...["watched/link.jsonl", "watched/linked/3.jsonl", "watched/linked/", "watched/a%20b"],
    ...["watched/.hidden.jsonl", "watched/x.html", "watched/model.safetensors", "watched"],
    ...["assets/", "assets/../../3.jsonl", "..%2frollouts/x.html", "missing.js"],
  ])("the path %s", async (path) => {
    const { code, text } = await inside(path);
    expect([code, text]).toEqual([404, ""]);
  });
});

it("says what is wrong with what it is given", async () => {
  const said = async (...argv: string[]) => {
    const { code, progress } = await turnbook("watch", ...argv);
    return [code, ...progress];
  };
  expect(await said()).toEqual([2, 'watch takes one folder; got ""']);
  expect(await said("a", "b")).toEqual([2, 'watch takes one folder; got "a b"']);
  expect(await said(join(base, "none"))).toEqual([
    2,
    expect.stringContaining("there is no folder"),
  ]);
  expect(await said(folder, "--port", "0")).toEqual([2, expect.stringContaining("--port")]);
  await expect(serveWatched(folder, folder)).rejects.toThrow("the page is not built");
  const { port } = new URL(server.address);
  await expect(serveWatched(page, folder, Number(port))).rejects.toThrow(
    /--port is \d+; it cannot/,
  );
});
