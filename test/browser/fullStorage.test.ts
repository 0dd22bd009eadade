/** The browser's own quota is used up while a notebook is written and trains: said at once, nothing is lost, and kept again when there is room. */
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { by, launch, type ServedPage, servePage } from "./support.ts";

let site: ServedPage;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "real" }), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const NOTEBOOK = `# Written

\`\`\`experiment id=first
preset: nano
algorithms: [grpo]
iterations: 4
backend: wasm
environment: { maxTurns: 2 }
optimisation: { tasksPerIteration: 2, groupSize: 4, minibatch: 8, epochs: 1 }
evaluation: { levels: 0 }
\`\`\`
`;

const keeping = (page: Page, state: string) =>
  page.locator(`[data-testid=keeping][data-state=${state}]`).waitFor();

/** @param bytes that the browser gives the site; absent: as many as it otherwise would. */
const setQuota = (session: CDPSession, bytes?: number) =>
  session.send("Storage.overrideQuotaForOrigin", {
    origin: new URL(site.url).origin,
    ...(bytes !== undefined && { quotaSize: bytes }),
  });

async function write(page: Page, text: string): Promise<void> {
  await by(page, "edit-cell").first().click();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText(text);
}

it("a notebook and a run go on in memory, with a file to save of each, and are kept once there is room", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("dialog", (dialog) => void dialog.accept());
  // Chromium remembers for a while how much room there was: it is used up before the page keeps anything.
  await page.goto(`${site.url}needs.js`);
  const session = await context.newCDPSession(page);
  await setQuota(session, 1);
  await page.goto(`${site.url}#notebooks`);
  await by(page, "notebook-file").setInputFiles({
    ...{ name: "written.turnbook.md", mimeType: "text/markdown", buffer: Buffer.from(NOTEBOOK) },
  });
  await by(page, "mode-edit").click();
  await write(page, "\n\nWithout room.");
  await keeping(page, "memory");
  const said = by(page, "not-kept");
  await said
    .getByText(/the browser's storage is full/)
    .first()
    .waitFor();
  const saved = page.waitForEvent("download");
  await by(page, "book-bar").getByTestId("not-kept").getByRole("button").click();
  expect((await saved).suggestedFilename()).toBe("Written.turnbook.md");

  await by(page, "run").click();
  await page.locator("[data-run-state=finished]").waitFor();
  // Neither its lines nor its checkpoints had room.
  await expect.poll(() => said.getByText(/the browser's storage is full/).count()).toBe(2);
  const file = page.waitForEvent("download");
  await by(page, "save-run").first().click();
  expect((await file).suggestedFilename()).toMatch(/\.turnbook\.zip$/);

  await setQuota(session);
  await write(page, " With room.");
  await keeping(page, "saved");
  await page.reload();
  await page.getByText("Without room. With room.").waitFor();
  expect(errors).toEqual([]);
  await context.close();
});
