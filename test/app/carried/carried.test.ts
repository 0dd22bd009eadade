/** What a page carries: written into its text, and read again by whatever it fetches. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { CARRIED_ID, carriedHtml } from "../../../src/app/carried/carriedHtml.ts";
import { carriedRun } from "../../../src/app/carried/carriedRuns.ts";
import { fetchCarried } from "../../../src/app/carried/takeCarried.ts";
import { carriedFile, isCarried } from "../../../src/runtime/carried.ts";

afterEach(() => void (globalThis.turnbookCarried = undefined));

const base64 = (text: string) => Buffer.from(text).toString("base64");
const carry = (files: Record<string, string>) =>
  (globalThis.turnbookCarried = { files, site: "file:///home/a.html" });

const PAGE = { script: "run()", style: "a{}", hashes: { script: "sha256-a", style: "sha256-b" } };

it("a page's text gives back every file, whatever the notebook says and is called", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), (title, text) => {
      const html = carriedHtml(title, PAGE, { "notebooks/first.md": base64(text) });
      const data = new RegExp(`id="${CARRIED_ID}">(.*?)</script>`).exec(html)![1]!;
      carry(JSON.parse(data) as Record<string, string>);
      expect(carriedFile("notebooks/first.md")).toEqual(new Uint8Array(Buffer.from(text)));
      expect(html.match(/<title>[^<]*<\/title>/g)).toHaveLength(1);
      expect(html.match(/<script/g)).toHaveLength(2);
    }),
  );
});

it("a fetch beside the page has what is carried, packed or not; else what a file's folder has: nothing", async () => {
  const other = vi.fn(() => Promise.resolve(new Response("theirs")));
  const fetched = fetchCarried(other, "file:///home/a.html");
  carry({
    "notes/a.md": base64("plain"),
    "log.jsonl.gz": gzipSync("packed").toString("base64"),
  });
  expect(await (await fetched("file:///home/notes/a.md")).text()).toBe("plain");
  expect(await (await fetched(new URL("file:///home/log.jsonl"))).text()).toBe("packed");
  expect((await fetched("file:///home/b.md")).status).toBe(404);
  expect((await fetched("file:///etc/passwd")).status).toBe(404);
  expect(other).not.toHaveBeenCalled();
  expect(await (await fetched("https://example.org/notes/a.md")).text()).toBe("theirs");
});

it("a page as a server has it carries nothing", () => {
  expect(isCarried()).toBe(false);
  expect(carriedFile("notes/a.md")).toBeNull();
  expect(carriedRun("first")).toBeNull();
});

it("an experiment has the run that was carried for it, a recording before plain lines", () => {
  carry({ "runs/cell-a/events.jsonl.gz": "", "runs/cell-b/recording.json": "" });
  expect(carriedRun("a")).toBe("runs/cell-a/events.jsonl");
  expect(carriedRun("b")).toBe("runs/cell-b/recording.json");
  expect(carriedRun("c")).toBeNull();
});
