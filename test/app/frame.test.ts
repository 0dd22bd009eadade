/** The first screen as the build writes it into index.html. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { COURSE } from "../../src/app/course/course.ts";
import { bookHash, type BookAddress } from "../../src/app/book/bookAddress.ts";
import { framePlugin } from "../../src/app/build/frame.ts";
import { BEFORE_PAINT } from "../../src/app/first/beforePaint.ts";
import { FIRST_ID, type FirstFacts } from "../../src/app/first/facts.ts";
import { signedCredit } from "../../src/panels/opening/strip.ts";

const root = join(import.meta.dirname, "../..");
const opening = readFileSync(join(root, "public/figures/opening.json"), "utf8");

type Handler = (html: string) => Promise<string>;

const plugin = framePlugin(root);
const { handler } = plugin.transformIndexHtml as unknown as { handler: Handler };

// In a process whose React is that of another mode.
it("has the strip with its credits, no true ones, and what React needs to draw the same", async () => {
  const html = await handler("<body><!--frame--></body>");
  const [, json = ""] = new RegExp(`id="${FIRST_ID}">([^<]*)</script>`).exec(html) ?? [];
  const facts = JSON.parse(json) as FirstFacts;
  expect(facts.opening).toEqual(JSON.parse(opening));
  expect(facts.methods).toBe(3);
  const { credits, truth, turns } = facts.opening;
  expect(html.split('class="board"')).toHaveLength(turns.length + 2);
  for (const value of Object.values(credits).flat()) expect(html).toContain(signedCredit(value));
  for (const value of truth.advantage) expect(html).not.toContain(`${signedCredit(value)}<small>`);
  expect(html).toMatch(/<div id="frame" aria-hidden="true" inert[^>]*>/);
  expect(html).not.toContain('data-testid="opening');
});

it("tells the script before all others which addresses begin without the frame, from the routes", async () => {
  const page = readFileSync(join(root, "index.html"), "utf8");
  const [, said = ""] = /src="\/frame\.js" data-known="([^"]+)"/.exec(await handler(page)) ?? [];
  const text = said.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  const known = JSON.parse(text) as typeof BEFORE_PAINT;
  expect(known).toEqual(BEFORE_PAINT);
  const isFrameless = (hash: string) => new RegExp(known.frameless).test(hash);
  const books: BookAddress[] = [
    { kind: "own", id: "a1" },
    { kind: "served", name: "credit" },
    { kind: "text", word: "abc" },
  ];
  const others = [
    "#machine",
    "#shop-1-2",
    "#algorithms-grpo",
    "#referee/fork/grpo/learned",
    "#glossary-turn",
    "#notebooks",
    "#own",
  ];
  const elsewhere = ["#class/abc", "#url=https://a.b/c.md", "#gh:a/b/c.md", "#v1/nano?view=lens"];
  for (const hash of [...books.map(bookHash), ...others, ...elsewhere])
    expect(isFrameless(hash), hash).toBe(true);
  for (const hash of ["", "#", "#v1/nano", "#v1/nano?seed=2"])
    expect(isFrameless(hash), hash).toBe(false);
  for (const name of COURSE) expect(`#lesson/${name}`).toMatch(new RegExp(known.lesson));
  for (const hash of [
    "#lesson/credit/first",
    "#lesson/credit?view=lens",
    `#lesson/${"a".repeat(41)}`,
  ])
    expect(hash).not.toMatch(new RegExp(known.lesson));
  for (const [search, is] of [
    ["?embed", true],
    ["?a=1&embed=turns", true],
    ["?embedded=1", false],
  ] as const)
    expect(new RegExp(known.embedded).test(search), search).toBe(is);
  // Of what the page's modules say it has no copy.
  const script = readFileSync(join(root, "public/frame.js"), "utf8");
  expect(script).not.toMatch(/machine|algorithms|glossary|notebooks|#lesson|\[?&\]|turnbook[.-]/);
});

it("leaves pages without its place as they are", async () => {
  expect(await handler("<body></body>")).toBe("<body></body>");
});

it("makes a file of each lesson's first step: its words, its figure, and no name of the page's parts", async () => {
  const files = new Map<string, string>();
  const emitFile = ({ fileName, source }: { fileName: string; source: string }) =>
    files.set(fileName, source);
  const generate = plugin.generateBundle as unknown as () => Promise<void>;
  await generate.call({ emitFile });
  expect([...files.keys()].toSorted()).toEqual(
    COURSE.map((name) => `lessons/${name}.html`).toSorted(),
  );
  const critic = files.get("lessons/critic.html")!;
  expect(critic).toMatch(/^<article class="notebook lesson" data-lesson="What a critic knows">/);
  expect(critic).toContain('data-term-id="critic"');
  expect(critic.split('class="picture-dot"').length).toBeGreaterThan(4);
  expect(critic).not.toContain("data-testid");
  // Nobody has credited a turn yet.
  expect(files.get("lessons/credit.html")!.split('class="picture-asked"')).toHaveLength(5);
});
