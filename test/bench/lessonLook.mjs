// `node test/bench/lessonLook.mjs [--page DIR] [--out DIR] [--lessons A,B] [--looks light,dark]`: a picture of every step of every lesson
// of a built page (DIR; dist if absent), whole and as a reader finds it who has answered nothing, in test/screenshots/lessons; with the
// faults that a machine can see (look/faults.mjs). Looks are those of look/looks.mjs; light, dark, phone and projector if absent.
import { mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { findBrowser } from "../browser/find.mjs";
import { serve } from "./firstPaint.mjs";
import { looksWrong } from "./look/faults.mjs";
import { KEPT_LOOKS, LOOKS } from "./look/looks.mjs";

const root = resolve(import.meta.dirname, "..", "..");

/** Milliseconds in which a step's figures are drawn. */
const SETTLES = 1500;

async function stepsOf(browser, url, { lesson, look, out }) {
  const context = await browser.newContext({ ...LOOKS[look], reducedMotion: "reduce" });
  const page = await context.newPage();
  page.on("pageerror", ({ message }) => console.log(`  error: ${message}`));
  await page.goto(`${url}#lesson/${lesson}`);
  const next = page.locator("[data-testid=lesson-next]");
  await page.locator("[data-testid=lesson]").waitFor();
  for (let step = 1; ; step++) {
    await page.waitForTimeout(SETTLES);
    await page.waitForFunction(() => !document.querySelector(".lesson [aria-busy=true]"));
    const path = join(out, `${lesson}-${String(step).padStart(2, "0")}-${look}.png`);
    await page.screenshot({ path, fullPage: true });
    for (const fault of await looksWrong(page, LOOKS[look].isMobile === true))
      console.log(`  ${lesson} ${step} ${look}: ${fault}`);
    if ((await next.count()) === 0) break;
    await next.click();
    await page.waitForSelector(`[data-testid=lesson][data-step="${step + 1}"]`);
  }
  await context.close();
}

const { values } = parseArgs({
  options: {
    page: { type: "string" },
    out: { type: "string" },
    lessons: { type: "string" },
    looks: { type: "string" },
  },
});
const folder = resolve(values.page ?? join(root, "dist"));
const taught = readdirSync(join(folder, "notebooks", "teacher"));
const lessons = values.lessons?.split(",") ?? taught.map((name) => name.replace(".md", ""));
const out = resolve(values.out ?? join(root, "test/screenshots/lessons"));
mkdirSync(out, { recursive: true });
const site = await serve(folder);
const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
for (const look of values.looks?.split(",") ?? Object.keys(KEPT_LOOKS))
  for (const lesson of lessons) {
    await stepsOf(browser, site.url, { lesson, look, out });
    console.log(`${lesson} ${look}`);
  }
await browser.close();
site.close();
