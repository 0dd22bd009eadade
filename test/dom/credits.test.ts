// @vitest-environment happy-dom
/** One episode, many credits,: its numbers against the command line's, and its keys. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatBrief } from "../../src/numeric/format.ts";
import { words as ask } from "../../src/panels/shared/ask/words.ts";
import { words as says } from "../../src/figures/credits/words.ts";
import { titleOf } from "../../src/reading/titles.ts";
import { turnbook } from "../cli/cliSupport.ts";
import { tokenRecording } from "../fixtures/tokenRun.ts";
import { lensPanel, openPanel } from "./lensPanel.ts";
import { by, type DomPage } from "./page.ts";

const panel = lensPanel("credits", tokenRecording());

/** Episode 4 of Turn-PPO's iteration 2, its second turn. */
const PLACE = "&at=turn-ppo,2,4,2";

const open = () => panel.open(PLACE);

const row = (page: DomPage, id: string) =>
  by(page, "credits-table").locator(`tr[data-row="${id}"]`);
const numbers = (page: DomPage, id: string) => row(page, id).locator("td.number").allTextContents();

/** The table of exact numbers: by row, in the order of the columns. */
async function exact(page: DomPage, id: string): Promise<number[]> {
  const table = by(page, "credits-exact");
  const heads = await table.locator("thead th").allTextContents();
  const at = heads.indexOf(NAMES[id] ?? titleOf(id));
  const cells = table.locator(`tbody td:nth-child(${at + 1})`);
  return (await cells.allTextContents()).map(Number);
}

const NAMES: Record<string, string> = { truth: says.truth, trained: says.trained("Turn-PPO") };

/** What the command that the page shows prints, on the file that the page saves. */
async function commandLine(page: DomPage, name: string) {
  await by(page, "credits-take-for").selectOption(name);
  const take = by(page, "credits-take").getByRole("button", { name: "Save batch" });
  const saved = await page.download(() => take.click());
  const command = (await by(page, "credits-command").textContent())!;
  const [prefix, ...words] = command
    .split(" -- ")
    .flatMap((part, i) => (i ? part.split(" ") : part));
  expect(prefix).toBe("npm run -s turnbook");
  const file = words[words.indexOf("--batch") + 1]!;
  expect(file).toBe(saved.name);
  const path = join(mkdtempSync(join(tmpdir(), "turnbook-credits-")), file);
  writeFileSync(path, await saved.text());
  const { code, json } = await turnbook(...words.map((word) => (word === file ? path : word)));
  expect(code).toBe(0);
  return { words, printed: json[0] as unknown as Printed };
}

interface Printed {
  advantages: number[][] | null;
  tokenAdvantages: number[][][];
}

function expectSame(mine: number[], theirs: number[]): void {
  expect(mine).toHaveLength(theirs.length);
  mine.forEach((x, i) => {
    const error = Math.abs(x - theirs[i]!) / Math.max(Math.abs(theirs[i]!), 1e-12);
    expect(error, `${x} against ${theirs[i]}`).toBeLessThan(1e-9);
  });
}

describe("the credits panel", () => {
  it("shows the same numbers as the command line on the saved batch", async () => {
    const { page, errors, close } = await open();
    for (const name of ["gspo", "gigpo", "reinforce", "bi-level-gae", "reinforce-pp"]) {
      await by(page, "credits-add").selectOption(name);
      await row(page, name).waitFor();
    }
    await by(page, "credits-set-gamma").fill("0.83");
    await by(page, "credits-set-lambda").fill("0.61");
    await by(page, "credits-target").selectOption("turn-ppo");
    await by(page, "credits-token").check();
    await by(page, "credits-exact-open").click();
    await by(page, "credits-take").locator("summary").click();
    await row(page, "turn-ppo").getByText("changed").waitFor();
    const before = await exact(page, "turn-ppo");
    await by(page, "credits-set-whiten").selectOption("turns-population");
    await expect.poll(() => exact(page, "turn-ppo")).not.toEqual(before);
    const names = ["grpo", "token-ppo", "turn-ppo", "gspo", "gigpo", "reinforce", "bi-level-gae"];
    for (const name of [...names, "reinforce-pp"]) {
      const { words, printed } = await commandLine(page, name);
      expectSame(await exact(page, name), printed.tokenAdvantages[3]!.flat());
      if (name === "turn-ppo") {
        expect(words.filter((_, i) => words[i - 1] === "--set").sort()).toEqual([
          "gamma=0.83",
          "lambda=0.61",
          "whiten=turns-population",
        ]);
        await by(page, "credits-turn").check();
        await by(page, "credits-exact").getByText("Turn 1", { exact: true }).waitFor();
        expectSame(await exact(page, name), printed.advantages![3]!);
        await by(page, "credits-token").check();
        await by(page, "credits-exact").getByText("Turn 1, “").first().waitFor();
      }
    }
    expect(errors).toEqual([]);
    await close();
  });

  it("follows sliders at once, and goes back", async () => {
    const { page, errors, close } = await open();
    await row(page, "turn-ppo").waitFor();
    const before = await numbers(page, "turn-ppo");
    const grpo = await numbers(page, "grpo");
    const trained = await numbers(page, "trained");
    await by(page, "credits-slide-gamma").focus();
    await page.keyboard.press("Home");
    await row(page, "turn-ppo").getByText("changed").waitFor();
    expect(await numbers(page, "turn-ppo")).not.toEqual(before);
    expect(await numbers(page, "grpo")).toEqual(grpo);
    expect(await numbers(page, "trained")).toEqual(trained);
    await by(page, "credits-reset").click();
    await row(page, "turn-ppo").getByText("changed").waitFor({ state: "detached" });
    expect(await numbers(page, "turn-ppo")).toEqual(before);
    expect(errors).toEqual([]);
    await close();
  });

  it("follows a word as it follows a number", async () => {
    const { page, errors, close } = await open();
    await row(page, "turn-ppo").waitFor();
    const seen = [await numbers(page, "turn-ppo")];
    for (const whiten of ["none", "tokens", "turns-population"]) {
      await by(page, "credits-set-whiten").selectOption(whiten);
      await expect
        .poll(() => numbers(page, "turn-ppo"), { message: whiten })
        .not.toEqual(seen.at(-1));
      seen.push(await numbers(page, "turn-ppo"));
    }
    await by(page, "credits-set-whiten").selectOption("");
    await expect.poll(() => numbers(page, "turn-ppo")).toEqual(seen[0]);
    expect(errors).toEqual([]);
    await close();
  });

  it("turns its dial, opens turns, and moves the cursor by keys", async () => {
    const { page, errors, close } = await open();
    const heads = () =>
      by(page, "credits-table")
        .locator("thead th[data-column]")
        .evaluateAll((all) => all.map((head) => head.getAttribute("data-column")));
    await row(page, "grpo").waitFor();
    const turns = await heads();
    expect(turns).toEqual(turns.map((_, h) => String(h + 1)));
    await by(page, "credits-table-open-2").focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await by(page, "credits-table").locator("th[data-column='1.1']").waitFor();
    expect(await by(page, "cursor").textContent()).toContain("Turn 1 of");
    await page.keyboard.press("n");
    await page.locator("th[data-column='1.1'][aria-current]").waitFor();
    await by(page, "credits-ratio").check();
    await by(page, "credits-table").and(page.locator("[data-unit=number]")).waitFor();
    expect(await row(page, "reward").count()).toBe(0);
    await by(page, "credits-turn").focus();
    await page.keyboard.press("ArrowRight");
    await by(page, "credits-table").locator("th[data-column=all]").waitFor();
    expect(await heads()).toEqual(["all"]);
    await by(page, "credits-clip").check();
    await by(page, "credits-table").and(page.locator("[data-unit=share]")).waitFor();
    expect((await numbers(page, "token-ppo"))[0]).toMatch(/^\d+\.\d.%$/);
    expect(errors).toEqual([]);
    await close();
  });

  it("says why a row cannot be computed, in its place", async () => {
    const { page, errors, close } = await open();
    for (const name of ["remax", "starpo", "a2tgpo"])
      await by(page, "credits-add").selectOption(name);
    const said = (id: string) => expect.poll(() => row(page, id).textContent());
    await said("remax").toMatch(/greedy rollout/);
    await said("starpo").toMatch(/Set betaKlReward to 0/);
    await said("a2tgpo").toMatch(/information gain/);
    await page.getByText("More settings", { exact: true }).last().click();
    await by(page, "credits-set-betaKlReward").fill("0");
    await expect.poll(() => row(page, "starpo").textContent()).not.toMatch(/Set betaKlReward to 0/);
    await row(page, "starpo").locator("td.number").first().waitFor();
    await page.getByRole("button", { name: "Remove ReMax" }).click();
    await row(page, "remax").waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  });

  it("holds every row against the truth, once an oracle has told it", async () => {
    const { page, errors, close } = await open();
    await openPanel(page, "fork");
    await by(page, "fork-panel").getByRole("button", { name: ask.load }).click();
    await openPanel(page, "credits");
    await by(page, "credits-exact-open").click();
    const judged = ["grpo", "token-ppo", "turn-ppo", "trained"];
    const units: Unit[] = [];
    for (const episode of [4, 5]) {
      await by(page, "cursor").getByText(`Episode ${episode} of`).waitFor();
      await row(page, "truth").waitFor({ state: "detached" });
      await by(page, "cursor").getByRole("button", { name: ask.truth }).click();
      await row(page, "truth").waitFor();
      units.push(...(await unitsShown(page, judged)));
      await by(page, "cursor").focus();
      await page.keyboard.press("l");
    }
    await by(page, "cursor").getByText("Episode 6 of").waitFor();
    const signed = units.filter(({ sign }) => sign !== 0);
    expect(signed.length).toBeGreaterThan(2);
    expect(signed.length).toBeLessThan(units.length);
    for (const name of judged) {
      const x = units.map(({ estimates }) => estimates[name]!);
      const truth = units.map((unit) => unit.truth);
      const hits = signed.map(({ estimates, sign }) => rightness(estimates[name]!, sign));
      expect(await row(page, name).locator("td.bar-end").allTextContents()).toEqual([
        formatBrief(correlation(x, truth)),
        says.signs(total(hits), signed.length),
      ]);
    }
    expect(errors).toEqual([]);
    await close();
  });
});

/** A turn whose truth is shown. */
interface Unit {
  truth: number;
  /** 0 where the interval holds 0. */
  sign: number;
  /** By row. */
  estimates: Record<string, number>;
}

async function unitsShown(page: DomPage, rows: readonly string[]): Promise<Unit[]> {
  const truths = await exact(page, "truth");
  const intervals = await row(page, "truth").locator("td.number .note").allTextContents();
  const columns = await Promise.all(rows.map((name) => exact(page, name)));
  return truths.map((truth, h) => {
    const [low, high] = intervals[h]!.split(" … ").map((end) => Number(end.replace("−", "-")));
    const sign = low! > 0 ? 1 : high! < 0 ? -1 : 0;
    const estimates = Object.fromEntries(rows.map((name, i) => [name, columns[i]![h]!]));
    return { truth, sign, estimates };
  });
}

const total = (x: readonly number[]) => x.reduce((sum, one) => sum + one, 0);

const rightness = (estimate: number, sign: number) =>
  estimate === 0 ? 0.5 : estimate > 0 === sign > 0 ? 1 : 0;

function correlation(x: readonly number[], y: readonly number[]): number {
  const centred = (z: readonly number[]) => z.map((one) => one - total(z) / z.length);
  const [a, b] = [centred(x), centred(y)];
  const dot = (p: number[], q: number[]) => total(p.map((one, i) => one * q[i]!));
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
