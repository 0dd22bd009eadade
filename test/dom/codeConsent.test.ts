// @vitest-environment happy-dom
/** Code from elsewhere as its reader meets it: shown, asked for once, and no run before. */
import { beforeEach, describe, expect, it } from "vitest";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { encodeLink } from "../../src/spec/link.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { forgetConsent } from "../../src/store/codeConsent.ts";
import { openApp, usesApp } from "./app.tsx";
import { by, type DomPage as Page } from "./page.ts";

usesApp();
beforeEach(forgetConsent);

const source = "export const reward = ({ reward }) => 2 * reward;";
const spec = { ...presetSpec("nano"), definitions: [{ kind: "reward", name: "twice", source }] };
const LINK = encodeLink(spec as Parameters<typeof encodeLink>[0]);

const NOTEBOOK = `# Sent along

\`\`\`code id=twice defines=reward
${source}
\`\`\`

\`\`\`experiment id=main
preset: nano
environment.reward: twice
iterations: 2
\`\`\`
`;

const dialog = (page: Page) => by(page, "code-dialog");
const state = (page: Page) => by(page, "run-bar").getAttribute("data-run-state");

async function refuseThenAllow(page: Page): Promise<void> {
  await by(page, "run").click();
  await dialog(page).getByText("2 * reward").waitFor();
  expect(await state(page)).toBe("idle");
  await dialog(page).getByRole("button", { name: "Do not run it" }).click();
  await by(page, "problem").first().waitFor();
  expect(await by(page, "problem").first().textContent()).toMatch(/you did not let it run/);
  expect(await state(page)).toBe("idle");
  await by(page, "run").click();
  await by(page, "code-allow").click();
  await expect.poll(() => state(page)).toMatch(/running|finished/);
  expect(await dialog(page).count()).toBe(0);
  expect(await by(page, "code-waits").count()).toBe(0);
}

describe("before the first run", () => {
  it("a link's code is named, shown and asked for", async () => {
    const { page, errors, close } = await openApp(LINK);
    await by(page, "code-waits").first().waitFor();
    expect(await by(page, "code-waits").first().textContent()).toMatch(/reward twice/);
    await refuseThenAllow(page);
    expect(errors).toEqual([]);
    await close();
  });

  it("a notebook's definitions are asked for, though no cell computes", async () => {
    const { page, errors, close } = await openApp(`#text/${notebookToWord(NOTEBOOK)}`);
    await by(page, "code-ask").waitFor();
    await refuseThenAllow(page);
    expect(await by(page, "code-ask").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("keys ask as buttons do, and nothing runs without a yes", async () => {
    const text = "# Sent along\n\n```code id=six\n6 * 7\n```\n";
    const { page, errors, close } = await openApp(`#text/${notebookToWord(text)}`);
    await by(page, "edit-copy").click();
    await by(page, "mode-edit").click();
    await by(page, "edit").waitFor();
    const runByKeys = async () => {
      await by(page, "edit-cell").nth(1).focus();
      await page.keyboard.press("Control+Enter");
      await dialog(page).getByText("6 * 7").waitFor();
    };
    await runByKeys();
    await dialog(page).getByRole("button", { name: "Do not run it" }).click();
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect(await by(page, "code-output").count()).toBe(0);
    await runByKeys();
    await by(page, "code-allow").click();
    await expect.poll(() => by(page, "code-ask").count()).toBe(0);
    const begun = /waiting|running|fresh/;
    await expect.poll(() => by(page, "code-cell").getAttribute("data-state")).toMatch(begun);
    expect(errors).toEqual([]);
    await close();
  });

  it("reading it is enough to be asked; then Run runs", async () => {
    const { page, close } = await openApp(LINK);
    await by(page, "code-waits").first().getByRole("button").click();
    await by(page, "code-allow").click();
    await expect.poll(() => by(page, "code-waits").count()).toBe(0);
    await by(page, "run").click();
    await expect.poll(() => state(page)).toMatch(/running|finished/);
    expect(await dialog(page).count()).toBe(0);
    await close();
  });
});
