/** Definitions train in the page to the fingerprint that Node has, and a defined estimator is a row of the credits there. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { titleOf } from "../../src/reading/titles.ts";
import { encodeLink } from "../../src/spec/link.ts";
import { showing } from "../fixtures/lensAddress.ts";
import { by, launch, openPage, servePage, type ServedPage } from "../browser/support.ts";
import { example, lakeSpec, ofEveryKind, trained } from "../definitions/examples.ts";
import type { Browser } from "playwright-core";

const MINE = "turn-ppo@turnPpo";

let [browser, site]: [Browser, ServedPage] = [] as never;
beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), servePage({ worker: "real" })]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

/** A link's code is agreed to first; nothing has run before. */
async function runIn(page: Page): Promise<void> {
  await by(page, "run").click();
  await by(page, "code-dialog").waitFor();
  expect(await by(page, "run-bar").getAttribute("data-run-state")).toBe("idle");
  await by(page, "code-allow").click();
  await page.locator("[data-run-state=finished]").waitFor({ timeout: 240_000 });
}

test.each(Object.entries(ofEveryKind))(
  "%s: one fingerprint in Node and in the page",
  async (_, spec) => {
    const { fingerprint } = await trained(spec);
    const { page, errors, close } = await openPage(browser, `${site.url}${encodeLink(spec)}`);
    await runIn(page);
    await expect
      .poll(() => by(page, "fingerprint").locator("code").textContent())
      .toBe(fingerprint);
    expect(errors).toEqual([]);
    await close();
  },
);

test("a defined estimator's credits are those of the table's row, worked out off the page's thread", async () => {
  const plain = lakeSpec({
    definitions: [example("turnPpo")],
    // Training's normalisation is recorded to seven digits: without it numbers can be compared to the last bit.
    algorithms: ["turn-ppo", MINE].map((name) => ({ name, set: { whiten: "none" } })),
  });
  const address = `${site.url}${encodeLink(plain)}&view=lens${showing("credits")}`;
  const { page, errors, close } = await openPage(browser, address);
  await runIn(page);
  await by(page, "credits-exact-open").click();
  const exact = async (id: string) => {
    const table = by(page, "credits-exact");
    const heads = await table.locator("thead th").allTextContents();
    const at = heads.indexOf(titleOf(id));
    return table.locator(`tbody td:nth-child(${at + 1})`).allTextContents();
  };
  await expect.poll(async () => (await exact(MINE))[0]).toMatch(/\d/);
  expect(await exact(MINE)).toEqual(await exact("turn-ppo"));
  expect(page.workers().length).toBeGreaterThan(1);
  expect(errors).toEqual([]);
  await close();
});
