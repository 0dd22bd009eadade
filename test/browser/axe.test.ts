/** The check of colours: one text of each kind is checked, and texts of different kinds are never taken for one kind. */
import type { Browser } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { axeFaults } from "./axe.ts";
import { launch, openPage } from "./support.ts";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));

const SOUND = `<p class="word">in order</p>`;
/** By what is wrong: a page on which no text is like a sound one. */
const FAULTY = {
  "a colour of its own": `<p class="word" style="color: #ccc">pale</p>`,
  "the ground of its parent": `<div style="background: #222"><p class="word">dark</p></div>`,
  "a parent that is seen through": `<div style="opacity: 0.3"><p class="word">thin</p></div>`,
  "a neighbour placed under it": `<div style="position: relative"><div style="position: absolute; inset: 0; background: #222"></div><p class="word" style="position: relative">over</p></div>`,
  "another look of its class": `<section class="night"><p class="word">late</p></section>`,
};

/** Half of it judged before: what was in order is not judged again. */
const pageOf = (rest: string) =>
  `<!doctype html><html lang="en"><title>Kinds</title><style>.night .word { color: #bbb }</style><main><h1>Kinds</h1>${SOUND}${SOUND}${rest}</main></html>`;

it.each(Object.entries(FAULTY))("finds %s among texts that are in order", async (_, faulty) => {
  const { page, close } = await openPage(browser, "about:blank");
  await page.setContent(pageOf(""));
  expect(await axeFaults(page)).toEqual([]);
  for (const rest of [faulty, SOUND + faulty + faulty]) {
    await page.setContent(pageOf(rest));
    // It is found as often as it is looked for.
    for (const within of [undefined, "main"])
      expect(await axeFaults(page, within ? { within } : {})).toEqual([
        expect.stringMatching(/^color-contrast \(serious\): <p class="word"/),
      ]);
    expect(await axeFaults(page, { colours: false })).toEqual([]);
  }
  await close();
});
