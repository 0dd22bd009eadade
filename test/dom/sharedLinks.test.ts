// @vitest-environment happy-dom
/** A shared link never shows another run's numbers as its own: whatever it links to, the page says whose numbers it shows. */
import { describe, expect, it } from "vitest";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { changedSpec } from "../../src/spec/specChanges.ts";
import { encodeLink } from "../../src/spec/link.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { openApp, usesApp } from "./app.tsx";
import { by, type DomPage as Page } from "./page.ts";
import { some } from "../every.ts";

usesApp();

async function open(address: string) {
  const opened = await openApp(address);
  const known = [
    "[data-testid=recording]:not([data-state=loading])",
    "[data-recording]:not([data-recording=loading])",
  ];
  await opened.page.locator(known.join()).first().waitFor({ state: "attached" });
  return opened;
}

const notice = (page: Page) => by(page, "another-run");

const changes = [
  ["seed", "7"],
  ["environment.maxTurns", "4"],
  ["optimisation.groupSize", "4"],
  ["optimisation.tasksPerIteration", "2"],
  ["optimisation.minibatch", "8"],
] as const;
const WHOLE_NAME = "with all settings in it";
const WHOLE = encodeLink(changedSpec(presetSpec("nano"), changes));

describe("a link to a run with other settings", () => {
  const links: [string, string, RegExp][] = [
    ["in the notebook", "#v1/nano?seed=7", /Seed 7 \(recorded run: 1\)/],
    ["with fewer methods", "#v1/nano?algorithms=grpo", /methods GRPO/],
    ["with a fingerprint", `#v1/nano?seed=7&fp=${"ab".repeat(32)}`, /Seed 7/],
    ["to a place in the lens", "#v1/nano?seed=7&view=lens&at=turn-ppo,12,1,4", /Seed 7/],
    ["to one panel", "#v1/nano?seed=7&view=lens&at=turn-ppo,12,1,4&alone=credits", /Seed 7/],
    [
      "of the larger model",
      "#v1/sokoban-class-fair?seed=7",
      /See a recorded run of this model size/,
    ],
    [WHOLE_NAME, WHOLE, /and \d+ more|Seed 7/],
  ];
  const taken = ["in the notebook", "to a place in the lens", "of the larger model", WHOLE_NAME];
  it.each(some(links, ([name]) => taken.includes(name)))(
    "%s says so until it is trained here",
    async (_, hash, says) => {
      const { page, errors, close } = await open(`${hash}&iterations=9`);
      await notice(page).waitFor();
      expect(await notice(page).textContent()).toMatch(says);
      expect(await by(page, "bar-state").textContent()).toMatch(/another run/i);
      await by(page, "run").click();
      await page.locator("[data-testid=run-bar][data-run-iteration='9']").waitFor();
      expect(await notice(page).count()).toBe(0);
      expect(errors).toEqual([]);
      await close();
    },
  );

  it("that holds a whole notebook shows no numbers before its own", async () => {
    const cells = "```experiment id=main\npreset: nano\nseed: 7\n```\n\n```curves of=main\n```\n";
    const { page, close } = await openApp(`#text/${notebookToWord(`# Sent along\n\n${cells}`)}`);
    await by(page, "bar-state").getByText("Ready").waitFor();
    expect(await by(page, "origin").first().getAttribute("data-origin")).toBe("none");
    expect(await notice(page).count()).toBe(0);
    await close();
  });

  it("with code of its sender's says so before any of it has run", async () => {
    const source = "({ turns }) => turns.map(() => 1)";
    const spec = changedSpec(presetSpec("nano"), [["algorithms", "grpo"]]);
    const definitions = [{ kind: "reward", name: "kind", source }] as const;
    const { page, close } = await open(encodeLink({ ...spec, definitions: [...definitions] }));
    await notice(page).waitFor();
    expect(await by(page, "bar-state").textContent()).toMatch(/another run/i);
    await close();
  });

  it.each([
    ["#v1/bandit", null],
    ["#v1/webshop-fair?view=lens", "#lesson/shop"],
  ])("of another environment says that no numbers are shown: %s", async (hash, lesson) => {
    const { page, close } = await open(hash);
    await notice(page).waitFor();
    expect(await notice(page).textContent()).toMatch(/recorded run has another environment/);
    const link = notice(page).locator("a");
    expect(await link.count()).toBe(lesson === null ? 0 : 1);
    if (lesson !== null) expect(await link.getAttribute("href")).toBe(lesson);
    expect(await by(page, "origin").first().getAttribute("data-origin")).toBe("none");
    await close();
  });
});

it.each([
  ["the page itself", ""],
  ["its own settings", "#v1/nano-fair"],
  ["a place in its own run", "#v1/nano-fair?view=lens&at=turn-ppo,12,1,4"],
])("a link to %s shows the recorded run as what it is", async (_, hash) => {
  const { page, close } = await open(hash);
  await by(page, "bar-state").getByText("Recorded run").waitFor();
  expect(await notice(page).count()).toBe(0);
  await close();
});
