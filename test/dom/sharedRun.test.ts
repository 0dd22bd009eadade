// @vitest-environment happy-dom
/** A link that promises numbers: the page says what it promises, and whether the run here keeps it. */
import { deleteDB } from "idb";
import { describe, expect, it, vi } from "vitest";
import { createBook } from "../../src/app/book/openBook.ts";
import { openApp, usesApp } from "./app.tsx";
import { by, openSettings, type DomPage as Page } from "./page.ts";
import "fake-indexeddb/auto";

usesApp();

const SPEC = "#v1/nano?iterations=9&seed=7&evaluation.every=3";

const kind = (page: Page) => by(page, "verdict").getAttribute("data-kind");

async function train(page: Page): Promise<void> {
  await by(page, "run").click();
  await page.locator("[data-testid=run-bar][data-run-state=finished]").waitFor();
}

const links = new Map<string, Promise<string>>();

/** The link of a finished run, with its curves or without: made once. */
function shared(withCurves: boolean, hash = SPEC): Promise<string> {
  const key = `${withCurves} ${hash}`;
  if (!links.has(key)) links.set(key, make(withCurves, hash));
  return links.get(key)!;
}

async function make(withCurves: boolean, hash: string): Promise<string> {
  const { page, close } = await openApp(hash);
  await by(page, "run").waitFor();
  await train(page);
  await by(page, "copy-link").click();
  await by(page, "link-curves").waitFor();
  if (withCurves) await by(page, "link-curves").click();
  const link = async () => (await by(page, "copied").getAttribute("data-link")) ?? "";
  await expect.poll(link).toMatch(withCurves ? /&curves=reward,/ : /fp=[0-9a-f]{64}/);
  const found = await link();
  expect(await by(page, "copied").textContent()).toContain(`${found.length} characters`);
  await close();
  return new URL(found).hash;
}

async function open(hash: string) {
  const opened = await openApp(hash);
  await by(opened.page, "verdict").waitFor();
  return opened;
}

describe("the link of a whole notebook", () => {
  const TEXT = "# Mine\n\n```experiment id=own\npreset: nano\noptimisation.iterations: 9\n```\n";

  it("has the numbers of its run, as a QR code too, and is checked where it is opened", async () => {
    await deleteDB("turnbook-notebooks");
    const hash = await createBook(TEXT);
    const sender = await openApp(hash);
    await by(sender.page, "run").waitFor();
    await train(sender.page);
    await by(sender.page, "book-menu").click();
    await by(sender.page, "copy-book-link").click();
    await by(sender.page, "link-curves").waitFor();
    const link = async () => (await by(sender.page, "copied").getAttribute("data-link")) ?? "";
    await expect.poll(link).toMatch(/#text\/[\w-]+\/own\?fp=[0-9a-f]{64}/);
    await by(sender.page, "qr-button").click();
    await by(sender.page, "qr-code").waitFor();
    await by(sender.page, "link-curves").click();
    await expect.poll(link).toContain("&curves=reward,");
    const sent = new URL(await link()).hash;
    expect(sent.length).toBeLessThan(2000);
    await sender.close();

    const { page, errors, close } = await open(sent);
    expect(await kind(page)).toBe("waiting");
    await by(page, "shared-reward").waitFor();
    await by(page, "run-shared").click();
    await expect.poll(() => kind(page)).toBe("exact");
    expect(errors).toEqual([]);
    await close();
  });

  it("is in the badge of a README, and in the code of a frame, for each cell", async () => {
    const hash = await createBook(TEXT);
    const { page, close } = await openApp(hash);
    await by(page, "mode-edit").click();
    await page.locator("[data-testid=edit-cell][data-key]").nth(1).click();
    const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await by(page, "book-menu").click();
    await by(page, "copy-badge").click();
    await by(page, "book-said").getByText("Badge copied").waitFor();
    expect(written.mock.calls.at(-1)![0]).toMatch(
      /^\[!\[Open in Turnbook\]\(http[^)]+\/badge\.svg\)\]\(http[^)]+\/#text\/[\w-]+\)$/,
    );
    await by(page, "copy-embed").click();
    await by(page, "embed-said").waitFor();
    const [code] = written.mock.calls.at(-1)!;
    expect(code).toMatch(
      /^<iframe sandbox="allow-scripts" src="[^"]+\/embed\.html\?embed=cell-own#text\/[\w-]+" title="Mine: own" .*><\/iframe>$/,
    );
    written.mockRestore();
    await close();
  });
});

describe("a link with curves", () => {
  it("shows the sender's before the run, and says reproduced after it", async () => {
    const hash = await shared(true);
    expect(hash.length).toBeLessThan(2000);
    const { page, errors, close } = await open(hash);
    expect(await kind(page)).toBe("waiting");
    await by(page, "shared-table").getByText("not yet").first().waitFor();
    await by(page, "shared-reward").waitFor();
    await by(page, "run-shared").click();
    await expect.poll(() => kind(page)).toBe("exact");
    expect(await by(page, "verdict").textContent()).toContain("All 9 iterations match the link");
    await expect.poll(() => by(page, "shared-table").textContent()).not.toContain("not yet");
    await by(page, "sender-note").first().waitFor();
    expect(await by(page, "verdict-line").first().textContent()).toContain("Reproduced exactly");
    expect(errors).toEqual([]);
    await close();
  });

  it("of a device that rounds otherwise is the same within a tolerance that is stated", async () => {
    const hash = (await shared(true)).replace(/fp=\w+/, `fp=${"0".repeat(64)}`);
    const { page, close } = await open(hash.replace(/trace=\w+/, `trace=${"0".repeat(18)}`));
    await train(page);
    await expect.poll(() => kind(page)).toBe("tolerated");
    const text = await by(page, "verdict").textContent();
    expect(text).toMatch(/mean reward ±[\d.]+, held-out success ±[\d.]+ points/);
    await by(page, "what-differs").click();
    expect(await by(page, "why").textContent()).toContain("Settings, engine, device and version");
    await close();
  });

  it("of other numbers is diverged, and names the first number and what differs", async () => {
    const other = await shared(true, SPEC.replace("seed=7", "seed=8"));
    const link = other.replace("seed=8", "seed=7").replace(/by=[^&]+/, "by=0.9.9,webgpu,some-card");
    // The made-up worker's chain is the same for all seeds.
    const { page, close } = await open(link.replace(/(fp|trace)=\w+&/g, ""));
    await train(page);
    await expect.poll(() => kind(page)).toBe("diverged");
    expect(await by(page, "verdict").textContent()).toMatch(/Diverged at iteration 1/);
    await by(page, "shared-reward").getByText("differ from iteration 1 on").waitFor();
    await by(page, "what-differs").click();
    const why = await by(page, "why").textContent();
    expect(why).toMatch(/First seen at iteration 1: \S+, mean reward [\d.−]+ \(sender: [\d.−]+\)/);
    expect(why).toMatch(/version 0\.0\.0 \(sender: 0\.9\.9\); engine none \(sender: webgpu\)/);
    await close();
  });

  it("says so when other settings were run, and takes the link's back", async () => {
    const { page, close } = await open(await shared(true));
    await openSettings(page);
    await by(page, "field-seed").fill("3");
    await by(page, "verdict").getByText("Other settings than the link’s").waitFor();
    await train(page);
    await by(page, "verdict").getByText("Other settings than the link’s").waitFor();
    await by(page, "their-settings").click();
    await expect.poll(() => by(page, "field-seed").inputValue()).toBe("7");
    await close();
  });
});

describe("a link with a fingerprint alone", () => {
  it("says reproduced without curves, and is short enough for a QR code", async () => {
    const hash = await shared(false);
    expect(hash.length).toBeLessThan(230);
    const { page, close } = await open(hash);
    expect(await by(page, "shared-table").count()).toBe(0);
    await train(page);
    await expect.poll(() => kind(page)).toBe("exact");
    await by(page, "copy-link").click();
    await by(page, "qr-button").click();
    await by(page, "qr-code").waitFor();
    await by(page, "link-curves").click();
    await close();
  });
});

it("a link without numbers has no such part", async () => {
  const { page, close } = await openApp("#v1/nano?seed=7");
  await by(page, "bar-state").waitFor();
  expect(await by(page, "shared-run").count()).toBe(0);
  await close();
});
