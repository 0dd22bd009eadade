// `node test/bench/look.mjs [--page DIR] [--out DIR] [--all] [--scenes A,B] [--looks A,B]`: pictures of a built page (DIR; dist if
// absent, `npm run build` makes it) as PNG. Without more: first screen before and after the guess, lens and present mode, by day, by
// night, on a phone and on a projector, in .github/look. `--all`: every view in every look (look/scenes.mjs, look/looks.mjs), in
// test/screenshots/look, each with the faults that a machine can see (look/faults.mjs), and each scene printed as PDF once.
import { mkdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { findBrowser } from "../browser/find.mjs";
import { serve } from "./firstPaint.mjs";
import { looksWrong } from "./look/faults.mjs";
import { KEPT_LOOKS, LOOKS, SCENE_LOOKS } from "./look/looks.mjs";
import { BESIDE_MOCKS, EMBEDS, KEPT_SCENES, SCENES } from "./look/scenes.mjs";

const root = resolve(import.meta.dirname, "..", "..");

async function arrange(page, url, scene) {
  const embed = EMBEDS[scene];
  await page.goto(embed ? `${url}?embed=${embed.embed}${embed.hash}` : url);
  if (!embed) return SCENES[scene](page);
  await page.locator("[data-figure-shown]").waitFor();
  return page.waitForTimeout(3000);
}

/** @returns the faults that were seen. */
async function picture(browser, url, { scene, look, path }) {
  const settings = SCENE_LOOKS[scene]?.[look] ?? LOOKS[look];
  const context = await browser.newContext({ ...settings, reducedMotion: "reduce" });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", ({ message }) => errors.push(`error: ${message}`));
  await arrange(page, url, scene);
  await page.screenshot({ path });
  const faults = [...errors, ...(await looksWrong(page, LOOKS[look].isMobile === true))];
  await context.close();
  return faults;
}

async function printed(browser, url, scene, path) {
  const page = await browser.newPage(LOOKS.light);
  await arrange(page, url, scene);
  await page.pdf({ path, preferCSSPageSize: true });
  await page.close();
}

const { values } = parseArgs({
  options: {
    page: { type: "string" },
    out: { type: "string" },
    all: { type: "boolean" },
    scenes: { type: "string" },
    looks: { type: "string" },
  },
});
const every = { ...SCENES, ...EMBEDS };
const keptScenes = { ...KEPT_SCENES, ...BESIDE_MOCKS };
const scenes = values.scenes?.split(",") ?? Object.keys(values.all ? every : keptScenes);
const looksOf = (scene) => {
  if (values.looks) return values.looks.split(",");
  if (values.all) return Object.keys(LOOKS);
  // Their mocks have one.
  return scene in BESIDE_MOCKS ? ["light"] : Object.keys(KEPT_LOOKS);
};
const kept = values.all ? "test/screenshots/look" : ".github/look";
const out = resolve(values.out ?? join(root, kept));
mkdirSync(out, { recursive: true });
const site = await serve(resolve(values.page ?? join(root, "dist")));
const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
for (const scene of scenes) {
  for (const look of looksOf(scene)) {
    const path = join(out, `${scene}-${look}.png`);
    try {
      const faults = await picture(browser, site.url, { scene, look, path });
      console.log(`${relative(root, path)} ${Math.round(statSync(path).size / 1000)} kB`);
      if (values.all) for (const fault of faults) console.log(`  ${fault}`);
    } catch (error) {
      console.log(`${scene}-${look}: ${error.message.split("\n")[0]}`);
      process.exitCode = 1;
    }
  }
  if (values.all && !values.looks)
    await printed(browser, site.url, scene, join(out, `${scene}.pdf`));
}
await browser.close();
site.close();
