// @vitest-environment happy-dom
/** The episodes panel: sorting, filtering, searching all iterations, and where a row leads. */
import { describe, expect, it } from "vitest";
import { formatSignedBrief } from "../../src/numeric/format.ts";
import { factsOf } from "../fixtures/episodeFacts.ts";
import { sorted } from "../../src/figures/episodes/order.ts";
import { words } from "../../src/figures/episodes/words.ts";
import { creditEpisodes, creditRecording, creditSpec } from "../fixtures/creditRun.ts";
import { lensPanel, plainText } from "./lensPanel.ts";
import { by } from "./page.ts";

const { open } = lensPanel("episodes", creditRecording());
const source = { spec: creditSpec(), algorithm: "turn-ppo", iteration: 1 };
const facts = factsOf(creditEpisodes("turn-ppo"), source, null);

const nameOf = (episode: number) => `${words.episode} ${episode + 1}`;

const place = (...parts: number[]) =>
  new RegExp(`at=turn-ppo${parts.map((part) => `(,|%2C)${part}`).join("")}(&|$)`);

describe("the episodes panel", () => {
  it("sorts by what is chosen, and a row leads all panels to the turn that it is about", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,1,1");
    const table = by(page, "episodes-table");
    await table.locator("[data-sort=error]").press("Enter");
    expect(await table.locator("[aria-sort=descending] button").getAttribute("data-sort")).toBe(
      "error",
    );
    const wanted = sorted(facts, { column: "error", direction: "down" });
    const names = await table.locator("tbody th").allTextContents();
    expect(names).toEqual(wanted.map(({ episode }) => nameOf(episode)));
    const cells = await table.locator("tbody td:nth-child(6)").allTextContents();
    const { value, turn } = wanted[0]!.error!;
    expect(cells[0]).toBe(`${formatSignedBrief(value)} ${words.inTurn(turn)}`);
    // One stop for Tab; arrows go from row to row.
    await table.locator("tbody button[tabindex='0']").focus();
    const at = wanted.findIndex(({ episode }) => episode === 0);
    const [key, next] = at === 0 ? ["ArrowDown", wanted[1]!] : ["ArrowUp", wanted[at - 1]!];
    await page.keyboard.press(key);
    await page.keyboard.press("Enter");
    await page.waitForURL(place(1, next.episode + 1, next.error!.turn + 1));
    const here = table.locator("tbody [aria-current=true]");
    expect(await here.textContent()).toBe(nameOf(next.episode));
    await page.keyboard.press("N");
    const after = wanted[(wanted.indexOf(next) + 1) % wanted.length]!;
    await page.waitForURL(place(1, after.episode + 1, after.error!.turn + 1));
    expect(errors).toEqual([]);
    await close();
  });

  it("searches the texts of all iterations, says what it finds, and the link keeps it", async () => {
    const text = "The needle in this haystack";
    const recording = creditRecording((episode, algorithm) =>
      algorithm === "turn-ppo" && episode.trajectory === 2
        ? {
            ...episode,
            turns: episode.turns.map((turn, h) => (h === 1 ? { ...turn, text } : turn)),
          }
        : episode,
    );
    const { page, errors, close } = await open("&at=turn-ppo,1,1,1&episodes:scope=all", {
      recording,
    });
    const count = by(page, "episodes-count");
    await count.getByText(words.found(16, 16, "", false)).waitFor();
    await by(page, "episodes-search").fill("NEEDLE");
    await page.keyboard.press("Enter");
    await count.getByText(words.found(2, 16, "NEEDLE", false)).waitFor();
    const rows = by(page, "episodes-table").locator("tbody tr");
    expect(await rows.locator("mark").allTextContents()).toEqual(["needle", "needle"]);
    await page.keyboard.press("Enter");
    await page.waitForURL(place(1, 3, 2));
    await rows.nth(1).locator("button").click();
    await page.waitForURL(place(2, 3, 2));
    expect(page.url()).toContain("episodes:find=NEEDLE");
    await by(page, "episodes-search").fill("nowhere to be found");
    await page.keyboard.press("Enter");
    await count.getByText(/^None of 16 episodes/).waitFor();
    await by(page, "episodes-panel").getByRole("button", { name: words.reset }).click();
    await count.getByText(words.found(16, 16, "", false)).waitFor();
    await plainText(page, "episodes");
    expect(errors).toEqual([]);
    await close();
  });
});
