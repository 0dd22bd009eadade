// @vitest-environment happy-dom
/** The referee's page: its table, one line, and the address of it. Its looks are in ../browser. */
import { expect, it } from "vitest";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();

const COMMAND = "npm run -s turnbook -- referee";

it("shows the line that the address names, and puts the chosen one there", async () => {
  const { page, errors, close } = await openApp("#referee/luck/grpo/learned", { recording: null });
  await by(page, "referee-rows").waitFor();
  expect(await page.title()).toBe("The credit referee · Turnbook");
  expect(await by(page, "referee-command").textContent()).toBe(
    `${COMMAND} --task luck --algorithm grpo`,
  );
  await by(page, "referee-row").selectOption("turn-ppo");
  await page.waitForURL(/#referee\/luck\/turn-ppo\/learned$/);
  await by(page, "referee-critic").selectOption("perfect");
  await page.waitForURL(/#referee\/luck\/turn-ppo\/perfect$/);
  expect(await by(page, "referee-command").textContent()).toBe(
    `${COMMAND} --task luck --algorithm turn-ppo --critic perfect`,
  );
  await by(page, "referee-again").click();
  await expect.poll(() => by(page, "referee-came").textContent()).toContain("the same numbers");
  await by(page, "referee-row").selectOption("grpo");
  await expect.poll(() => by(page, "referee-came").textContent()).not.toContain("the same numbers");
  const means = await by(page, "referee-means").textContent();
  await by(page, "referee-measure").selectOption("finds");
  await expect.poll(() => by(page, "referee-means").textContent()).not.toBe(means);
  await by(page, "referee-rows").locator("[data-sort=fork]").click();
  await expect
    .poll(() => by(page, "referee-rows").locator("[aria-sort=descending]").textContent())
    .toContain("A fork");
  expect(errors).toEqual([]);
  await close();
});

it("is reached from the algorithms' page", async () => {
  const { page, errors, close } = await openApp("#algorithms", { recording: null });
  await page.getByText("Whose credit is near the truth").click();
  await by(page, "referee").waitFor();
  expect(errors).toEqual([]);
  await close();
});
