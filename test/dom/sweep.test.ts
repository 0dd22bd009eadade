// @vitest-environment happy-dom
/** A sweep in the page: it begins when it is asked to, trains through the queue, and shows what came out. */
import { expect, it } from "vitest";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();

const TEXT = `# Rates

\`\`\`experiment id=first
preset: nano
algorithms: turn-ppo
optimisation.iterations: 3
\`\`\`

\`\`\`sweep id=rates of=first
over: {optimisation.epochs: [1, 2, -1]}
seeds: [1, 2]
\`\`\`
`;

it("trains every setting with every seed, and says where each ended", async () => {
  const { page, errors, close } = await openApp(`#text/${notebookToWord(TEXT)}`);
  const sweep = by(page, "sweep");
  await sweep.waitFor();
  await expect.poll(() => sweep.textContent()).toContain("2 settings, 4 runs.");
  expect(await sweep.textContent()).toMatch(/optimisation.epochs .*-1.* This setting is left out/);
  expect(await by(page, "sweep-table").count()).toBe(0);
  await by(page, "run-sweep").click();
  await expect
    .poll(() => by(page, "queue").locator("code").allTextContents())
    .toContain("rates, epochs 1, seed 1");
  await expect.poll(() => by(page, "sweep-progress").textContent()).toMatch(/^[0-3] of 4 runs/);
  await expect.poll(() => by(page, "run-sweep").textContent()).toBe("All runs have finished");
  const rows = by(page, "sweep-table").locator("tbody tr");
  await expect.poll(() => rows.count()).toBe(2);
  const texts = await rows.allTextContents();
  expect(texts[0]).toMatch(/^A · epochs 1Turn-PPO2 of 2.+\(.+ to .+\)/);
  expect(texts[1]).toMatch(/^B · epochs 2Turn-PPO2 of 2/);
  expect(await by(page, "sweep-progress").count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

it("compares settings seed by seed, and settles the cause that it tests", async () => {
  const text = TEXT.replace("over:", "cause: large-steps\nover:").replace(", -1]", "]");
  const { page, errors, close } = await openApp(`#text/${notebookToWord(text)}`);
  await by(page, "run-sweep").click();
  const said = by(page, "sweep-conclusions");
  await expect
    .poll(async () => (await said.count()) > 0 && (await said.textContent()))
    .toMatch(
      /(stands|does not stand|cannot tell).*B minus A: Held-out success.*2 pairs of seeds, 95/,
    );
  expect(errors).toEqual([]);
  await close();
});

it("a second experiment waits where the run bar is pressed, and says so", async () => {
  const two = "```experiment id=a\npreset: nano\n```\n\n```experiment id=b\npreset: nano\n```\n";
  const { page, close } = await openApp(`#text/${notebookToWord(two)}`);
  await by(page, "run-in-turn").nth(1).click();
  await by(page, "queue").getByText("Training").waitFor();
  await by(page, "run").click();
  await expect.poll(() => by(page, "bar-state").textContent()).toBe("Next to run, after b");
  await by(page, "stop-all").click();
  await expect.poll(() => by(page, "bar-state").textContent()).not.toContain("Next to run");
  await close();
});
