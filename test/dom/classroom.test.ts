// @vitest-environment happy-dom
/** The class experiment: a seat trains and hands in a code; a teacher collects codes and sees what the class found. */
import { beforeEach, expect, it } from "vitest";
import { readExperiment } from "../../src/notebook/experimentCell.ts";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { codeOfRun, readCode, sealed } from "../../src/reading/classroom/resultCode.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { syntheticRun } from "../fixtures/syntheticRun.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();
beforeEach(() => localStorage.clear());

const EXPERIMENT = `preset: nano
seed: 700
optimisation.iterations: 4
evaluation.every: 1
algorithms: grpo,turn-ppo
engine.backend: wasm`;

const TEXT = `# A class

\`\`\`experiment id=first
${EXPERIMENT}
\`\`\`

\`\`\`class id=class of=first
question: Which method will be ahead?
options: [GRPO, Turn-PPO]
seats: 30
\`\`\`
`;

const HASH = `#text/${notebookToWord(TEXT)}`;
const { spec } = readExperiment(EXPERIMENT);

function codeOf(seat: number, prediction: number, change: Partial<typeof spec> = {}): string {
  const log = new RunLog();
  for (const event of syntheticRun({ ...spec, seed: 700 + seat, ...change })) log.append(event);
  return codeOfRun(log, "heldout", prediction);
}

it("gives a seat its seed, and a code when its run has ended", async () => {
  const { page, errors, close } = await openApp(HASH);
  await by(page, "class").waitFor();
  expect(await by(page, "class-train").isDisabled()).toBe(true);
  await by(page, "class-seat").fill("31");
  await page.getByText("Is 31; must be a whole number from 1 to 30.").waitFor();
  await by(page, "class-seat").fill("12");
  await page.getByText("Your run has seed 712.").waitFor();
  await by(page, "class").getByLabel("Turn-PPO").click();
  await by(page, "class-train").click();
  await by(page, "class-code").waitFor();
  const code = (await by(page, "class-code").textContent())!;
  expect(code.length).toBeLessThanOrEqual(200);
  expect(readCode(code, 2)).toMatchObject({ seed: 712, prediction: 2 });
  expect(await by(page, "qr-code").count()).toBe(1);
  expect(errors).toEqual([]);
  await close();
});

it("collects codes, says which count and why not, and what the class found", async () => {
  const { page, errors, close } = await openApp(HASH);
  await by(page, "class").waitFor();
  await page.getByText("For the teacher: collect the codes").click();
  const give = async (text: string) => {
    await by(page, "class-paste").fill(text);
    await by(page, "class-add").click();
  };
  await give("Hello!");
  await page.getByText("No code in that text.").waitFor();
  await give([1, 2, 3].map((seat) => `desk ${seat}: ${codeOf(seat, seat % 2 ? 1 : 2)}`).join("\n"));
  await expect.poll(() => by(page, "class-count").textContent()).toBe("3 of 3 codes count.");
  expect(await by(page, "class-votes").textContent()).toContain("GRPO2Turn-PPO1");
  expect(await by(page, "class-outcome").textContent()).toMatch(/Turn-PPO.*%.* to .*%/);
  const copied = codeOf(3, 1).split("~").slice(0, -1);
  copied[2] = (704).toString(36);
  await give(sealed(copied.join("~")));
  await give(codeOf(5, 1).slice(0, -1) + "!");
  await give(codeOf(99, 1));
  await give(codeOf(6, 1, { evaluation: { ...spec.evaluation, levels: 3 } }));
  await expect.poll(() => by(page, "class-count").textContent()).toContain("2 of ");
  const table = await by(page, "class-table").textContent();
  expect(table).toContain("the same numbers as desk 3");
  expect(table).toContain("the same numbers as desk 4");
  expect(table).toContain("a seed of no desk");
  expect(table).toContain("other settings than the class's");
  await by(page, "class-clear").click();
  await page.getByText("No codes yet.").waitFor();
  expect(errors).toEqual([]);
  await close();
});

it("trains a doubtful code's seed again, and lets the one count that comes out the same", async () => {
  const { page, errors, close } = await openApp(HASH);
  await by(page, "class").waitFor();
  await page.getByText("For the teacher: collect the codes").click();
  const better = codeOf(1, 1).split("~").slice(0, -1);
  better[5] = better[5]!.replace(/..$/, "-9");
  await by(page, "class-paste").fill([codeOf(2, 1), sealed(better.join("~"))].join(" "));
  await by(page, "class-add").click();
  await expect.poll(() => by(page, "class-count").textContent()).toBe("2 of 2 codes count.");
  await by(page, "class-table").getByRole("button", { name: "Train desk 1 again" }).click();
  await expect
    .poll(() => by(page, "class-table").textContent())
    .toContain("trained again, it gave other numbers");
  await expect.poll(() => by(page, "class-count").textContent()).toBe("1 of 2 codes count.");
  await by(page, "class-check").click();
  await expect.poll(() => by(page, "class-checking").textContent()).toBe("Nothing left to check.");
  expect(errors).toEqual([]);
  await close();
});
