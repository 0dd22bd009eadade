// @vitest-environment happy-dom
/** A comparison of two experiments of a notebook: the curves of both, and where their settings differ. */
import { expect, it } from "vitest";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();

const TEXT = `# Once or twice

\`\`\`experiment id=one
preset: nano
algorithms: grpo
optimisation: { iterations: 3, epochs: 1 }
\`\`\`

\`\`\`experiment id=two
preset: nano
algorithms: grpo
optimisation: { iterations: 3, epochs: 2 }
\`\`\`

\`\`\`compare
experiments: [one, two, three]
metrics: [reward, train:sokoban/num_actions]
\`\`\`
`;

it("draws both once they have trained, says what differs, and which experiment there is not", async () => {
  const { page, errors, close } = await openApp(`#text/${notebookToWord(TEXT)}`);
  const compare = by(page, "compare-cell");
  await expect.poll(() => compare.textContent()).toContain("three");
  // The other one first: what trains has another button.
  for (const place of [1, 0]) await by(page, "run-in-turn").nth(place).click();
  const differences = by(page, "compare-differences").locator("tbody tr");
  await expect.poll(() => differences.allTextContents()).toEqual(["optimisation.epochs12"]);
  const chart = by(page, "compare-reward");
  await expect.poll(() => chart.textContent()).toMatch(/A · one.*GRPO/);
  await expect.poll(() => chart.textContent()).toMatch(/B · two.*GRPO/);
  const moves = by(page, "compare-train|sokoban/num_actions");
  expect(await moves.textContent()).toMatch(/Actions per episode.*A · one.*GRPO/);
  expect(errors).toEqual([]);
  await close();
});
