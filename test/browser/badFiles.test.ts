/** Files that mean harm or mean nothing, in a real Chromium: a sentence, and a page that answers meanwhile. What is said is in ../interchange. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { words } from "../../src/interchange/import/words.ts";
import { evilPickle, gzipBomb, zstdBomb } from "../fixtures/hostileFiles.ts";
import { parquetBombs } from "../fixtures/hostileParquet.ts";
import { tasksDuring, timed } from "./mainThread.ts";
import { by, launch, openPage, servePage, shownRecording, type ServedPage } from "./support.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-bad-"));
let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "fake" }), launch()]);
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Bad {
  name: string;
  content: () => string | Uint8Array;
  /** In the notice that refuses it, or in the one that shows what is good of it. */
  says: string;
  isShown?: boolean;
}

const [bomb] = words.refused.bomb(500);
const row = (output: string, more = "", asked = "Q") =>
  `{"input": "user\\n${asked}\\nassistant\\n", "output": "${output}", "score": 1, "step": 1${more}}\n`;

const FILES: Bad[] = [
  {
    name: "junk.jsonl",
    content: () => "[2026-08-22 10:00:00] INFO step: loss 0.3\n".repeat(1_000_000),
    says: words.refused.unknown([])[0],
  },
  {
    name: "late.jsonl",
    content: () => `${"{'loss': 0.3}\n".repeat(300_000)}${row("one")}${row("two").slice(0, 40)}`,
    says: "300001 lines",
    isShown: true,
  },
  {
    name: "long.jsonl",
    content: () => row("x".repeat(10_000_000)) + row("word ".repeat(1_400_000), "", "R"),
    says: "1 of 2 episodes",
    isShown: true,
  },
  {
    name: "numbers.jsonl",
    content: () =>
      [NaN, Infinity].map((x) => row("one", `, "acc": ${x}`)).join("") + row("\\ud83d"),
    says: "2 numbers are NaN or infinite",
    isShown: true,
  },
  { name: "bomb.jsonl.gz", content: gzipBomb, says: bomb },
  { name: "bomb.jsonl.zst", content: zstdBomb, says: bomb },
  ...Object.entries(parquetBombs)
    .slice(0, 3)
    .map(([, content]): Bad => ({ name: "bomb.parquet", content, says: bomb })),
  { name: "evil.pkl", content: () => evilPickle(join(folder, "ran")), says: "os.system" },
];

/** In the page: until it has had nothing to do for a second. */
async function atRest(): Promise<void> {
  for (let last = performance.now(); performance.now() < last + 1000;) {
    const began = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (performance.now() > began + 80) last = performance.now();
  }
}

describe("files that mean harm or nothing", () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await openPage(browser, site.url, { own: true }));
    await shownRecording(page).waitFor();
  });

  it.each(FILES)(
    "$name: a sentence, and no long task",
    async ({ name, content, says, isShown }) => {
      const path = join(folder, name);
      writeFileSync(path, content());
      await timed(name, { limit: 50, unit: "ms of processor" }, async () => {
        await page.evaluate(atRest);
        const [longest] = await tasksDuring(browser, page, async () => {
          await page.locator("#import-input").setInputFiles(path);
          const notice = by(page, isShown ? "import-shown" : "import-refused");
          await notice.getByText(says).first().waitFor();
          if (isShown) await page.locator(".lens-panels [data-panel=tokens]").first().waitFor();
        });
        return longest!.processor;
      });
    },
  );
});
