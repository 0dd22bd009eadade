/** A notebook's experiment on WebGPU, on a software adapter: one iteration of nano from its cell, seen in a panel below it. */
import { expect, it } from "vitest";
import { by, launch, openPage, servePage } from "./support.ts";

/** Software WebGPU takes seconds a step: two short episodes, one update. */
const TEXT = `# On the graphics card

\`\`\`experiment id=one
preset: nano
algorithms: grpo
engine.backend: webgpu
environment.maxTurns: 1
optimisation: {iterations: 1, tasksPerIteration: 1, groupSize: 2, minibatch: 2, epochs: 1}
evaluation.levels: 0
\`\`\`

\`\`\`panel id=tokens of=one
panel: tokens
\`\`\`
`;

it("trains an iteration from its cell and shows it in a panel", { timeout: 300_000 }, async () => {
  const [browser, site] = await Promise.all([launch(), servePage({ worker: "real" })]);
  const { page, errors, close } = await openPage(browser, `${site.url}#notebooks`);
  await by(page, "notebook-file").setInputFiles({
    name: "gpu.turnbook.md",
    mimeType: "text/markdown",
    buffer: Buffer.from(TEXT),
  });
  await page.getByRole("heading", { name: "On the graphics card" }).waitFor();
  expect(await by(page, "warnings").count()).toBe(0);
  await by(page, "run").click();
  await page.locator("[data-run-state=finished]").first().waitFor({ timeout: 240_000 });
  await expect.poll(() => by(page, "engine").first().textContent()).toContain("on webgpu");
  const fingerprint = by(page, "fingerprint").first().locator("code");
  await expect.poll(() => fingerprint.textContent()).toMatch(/^[0-9a-f]{64}$/);
  // A panel is drawn where somebody sees it.
  const panel = page.locator("[data-panel=tokens]");
  await panel.scrollIntoViewIfNeeded();
  await panel.getByTestId("tokens-conversation").waitFor();
  await expect.poll(() => panel.getByTestId("tokens-conversation").textContent()).not.toBe("");
  expect(errors).toEqual([]);
  await close();
  await site.close();
});
