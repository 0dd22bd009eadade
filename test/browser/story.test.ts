/** The story in a real Chromium, in a fresh profile over the run that the page ships: how far it is to the group that shows why GRPO fell. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CauseName } from "../../src/reading/story/causeNames.ts";
import { conversationLog } from "../fixtures/conversationLog.ts";
import { by, launch, openPage, servePage, shownRecording, type ServedPage } from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "fake" }), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

async function open(at = "turn-ppo,100,14,1") {
  const opened = await openPage(browser, `${site.url}#v1/nano?view=lens&at=${at}`, {
    viewport: { width: 1440, height: 900 },
  });
  await shownRecording(opened.page).waitFor();
  await by(opened.page, "story-verdicts").waitFor();
  return opened;
}

const step = (page: Page, name: string) =>
  page.locator(`[data-panel=story] [data-action=story${name}]`);
/** The cheap failures: the group's attempts all fail, and the cheapest is credited as if it had not. */
const CAUSE = "cheap-failures";

/** Whether the group's table is within its pane, as the address says, with the rewards that tell why. */
async function showsGroup(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => location.hash)).toContain("at=grpo,10,25,1");
  const group = by(page, "group-panel");
  await group.getByText("+1.62").first().waitFor();
  await inSight(page);
}

/** Whether the group's panel begins within its pane. */
async function inSight(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.locator("[data-panel=group]").evaluate((panel) => {
        const pane = panel.closest("[data-pane]")!.getBoundingClientRect();
        const { top } = panel.getBoundingClientRect();
        return panel.checkVisibility() && top >= pane.top - 1 && top < pane.bottom;
      }),
    )
    .toBe(true);
}

describe("from the lens to the group that shows when and why GRPO went wrong", () => {
  it("takes three clicks, and the link opens the same", async () => {
    const { page, errors, close } = await open();
    await by(page, "story-verdicts").getByRole("button", { name: "GRPO" }).click();
    await by(page, `story-cause-${CAUSE}`).click();
    await step(page, "Group").click();
    await showsGroup(page);
    const link = page.url();
    await page.goto("about:blank");
    await page.goto(link);
    await by(page, `story-cause-${CAUSE}`).waitFor();
    await expect.poll(() => by(page, `story-cause-${CAUSE}`).isChecked()).toBe(true);
    await expect.poll(() => step(page, "Group").getAttribute("aria-pressed")).toBe("true");
    expect(errors).toEqual([]);
    await close();
  });

  it("takes three keys, and the numbers walk the path to the formula", async () => {
    const { page, errors, close } = await open();
    await page.keyboard.press("a");
    await by(page, `story-cause-${CAUSE}`).waitFor();
    await page.keyboard.press("y");
    await step(page, "Turn").and(page.locator(":not([aria-disabled])")).waitFor();
    await page.keyboard.press("2");
    await showsGroup(page);
    await page.keyboard.press("3");
    await expect.poll(() => page.evaluate(() => location.hash)).toContain("at=grpo,10,32,1");
    await page.keyboard.press("1");
    // Dotted on each chart, its words above the lines, where they touch nothing; a low pane shows one.
    const chart = by(page, "chart-heldout");
    await chart.locator("[data-testid=onset][data-x='12']").waitFor();
    const said = chart.locator("svg text").filter({ hasText: "GRPO: onset 12, between 11 and 18" });
    const line = chart.locator("[data-testid=onset] path");
    const [text, plot] = await Promise.all([said.boundingBox(), line.boundingBox()]);
    expect(text!.y + text!.height).toBeLessThanOrEqual(plot!.y + 1);
    await page.keyboard.press("5");
    await expect.poll(() => page.locator("[data-panel=formula]").isVisible()).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });
});

/** Most actions from a fresh profile to the group. */
const MOST_ACTIONS = 4;

/** The reader's actions on a page, each counted. */
class Reader {
  actions = 0;
  constructor(readonly page: Page) {}
  async click(what: Locator): Promise<void> {
    await what.click();
    this.actions++;
  }
  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    this.actions++;
  }
}

interface Case {
  /** Address that a fresh profile opens; "" is the bare page. */
  from: string;
  /** Whether the cause is the second: the first is open from the start. */
  isSecond?: true;
  cause: CauseName;
  /** The group's place. */
  at: RegExp;
}
type Device = "mouse" | "keyboard";

const header = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Lens" });

/** The story there is of the method that the cursor is at: on the bare page GRPO, the first. */
const TO_LENS: Record<Device, (reader: Reader) => Promise<void>> = {
  mouse: (reader) => reader.click(header(reader.page)),
  keyboard: (reader) => reader.press("v"),
};

/** From the first cause to the second. */
const TO_SECOND: Record<Device, (reader: Reader, cause: CauseName) => Promise<void>> = {
  mouse: (reader, cause) => reader.click(by(reader.page, `story-cause-${cause}`)),
  keyboard: async (reader, cause) => {
    await by(reader.page, `story-cause-${cause}`).waitFor();
    await reader.press("y");
  },
};

const LOG = {
  name: "run.jsonl",
  mimeType: "application/jsonl",
  buffer: Buffer.from(conversationLog()),
};

const CASES: Record<string, Case> = {
  "the shipped run: when did GRPO go wrong, on which episode, why?": {
    ...{ from: "", cause: CAUSE, isSecond: true },
    at: /at=grpo,10,25,1/,
  },
  "the clinic's patient A": {
    ...{ from: "#lesson/clinic/a", cause: "large-steps" },
    at: /at=turn-ppo,11,\d+,1/,
  },
  "the clinic's patient B": {
    ...{ from: "#lesson/clinic/b", cause: "silent-groups" },
    at: /at=grpo,1,\d+,1/,
  },
};

describe.each(Object.entries(CASES))(
  "from a fresh profile to the group that shows it, in %s",
  (_, one) => {
    it.each(["mouse", "keyboard"] as const)(
      "takes four actions at most, by %s alone",
      async (device) => {
        const { page, errors, close } = await openPage(browser, site.url + one.from, {
          viewport: { width: 1440, height: 900 },
          own: true,
        });
        // Keys mean nothing before the page is there.
        await page.locator("#frame").waitFor({ state: "detached" });
        await page.locator("main h1").first().waitFor();
        const reader = new Reader(page);
        await TO_LENS[device](reader);
        if (one.isSecond) await TO_SECOND[device](reader, one.cause);
        await by(page, `story-cause-${one.cause}`).waitFor();
        await expect.poll(() => by(page, `story-cause-${one.cause}`).isChecked()).toBe(true);
        await step(page, "Group").and(page.locator(":not([aria-disabled])")).waitFor();
        if (device === "mouse") await reader.click(step(page, "Group"));
        else await reader.press("2");
        await expect.poll(() => page.evaluate(() => location.hash)).toMatch(one.at);
        await inSight(page);
        await expect.poll(() => step(page, "Group").getAttribute("aria-pressed")).toBe("true");
        expect(reader.actions).toBeLessThanOrEqual(MOST_ACTIONS);
        expect(errors).toEqual([]);
        await close();
      },
    );
  },
);

/** Each opens the browser's dialog, in which the file is chosen, and goes to the group. */
const OF_LOGS: Record<Device, (reader: Reader) => Promise<void>> = {
  // Of a drop, which is one action.
  mouse: async (reader) => {
    await reader.page.locator("#import-input").setInputFiles(LOG);
    reader.actions++;
  },
  keyboard: async (reader) => {
    const chooser = reader.page.waitForEvent("filechooser");
    // Watching for the dialog begins with the next round trip.
    await reader.page.title();
    await reader.press("o");
    await (await chooser).setFiles(LOG);
  },
};

it.each(["mouse", "keyboard"] as const)(
  "a log that is chosen leads to the group in two actions by %s",
  async (device) => {
    const { page, errors, close } = await openPage(browser, site.url, {
      viewport: { width: 1440, height: 900 },
      own: true,
    });
    await page.locator("#frame").waitFor({ state: "detached" });
    const reader = new Reader(page);
    await OF_LOGS[device](reader);
    await by(page, "story-cause-silent-groups").waitFor();
    const group = step(page, "Group").and(page.locator(":not([aria-disabled])"));
    await group.waitFor();
    if (device === "mouse") await reader.click(group);
    else await reader.press("2");
    await inSight(page);
    await expect.poll(() => step(page, "Group").getAttribute("aria-pressed")).toBe("true");
    expect(reader.actions).toBeLessThanOrEqual(2);
    expect(errors).toEqual([]);
    await close();
  },
);

/** Types into the search, and chooses an entry of what it finds. */
async function find(page: Page, query: string, entry: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await by(page, "palette-query").fill(query);
  await page.locator(`[data-entry="${entry}"]`).click();
  await by(page, "palette").waitFor({ state: "detached" });
}

describe("the search", () => {
  it("leads to a cause's onset where the run has it, and to what it is where not", async () => {
    const { page, errors, close } = await open();
    await find(page, "silent groups", "causes/silent-groups");
    await expect.poll(() => page.url()).toContain("at=grpo,20,");
    await expect.poll(() => by(page, "story-cause-silent-groups").isChecked()).toBe(true);
    await expect.poll(() => step(page, "Curve").getAttribute("aria-pressed")).toBe("true");
    await find(page, "reward without success", "causes/reward-hacking");
    await page.waitForURL(/#glossary-cause-reward-hacking$/);
    await expect.poll(() => page.locator("#term-cause-reward-hacking").isVisible()).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });

  it("leads to a metric's curve, also in a pane that has room for one", async () => {
    const { page, errors, close } = await open();
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const metric of ["actor/entropy", "actor/pg_clipfrac", "frac_reward_zero_std"]) {
      await find(page, metric, `metrics/${metric}`);
      const chart = by(page, `chart-train|${metric}`).locator("svg").first();
      await chart.waitFor();
      await expect
        .poll(() =>
          chart.evaluate((svg) => {
            const pane = svg.closest("[data-pane]")!.getBoundingClientRect();
            const { top, bottom } = svg.getBoundingClientRect();
            return top >= pane.top && bottom <= pane.bottom + 1;
          }),
        )
        .toBe(true);
    }
    expect(errors).toEqual([]);
    await close();
  });
});
