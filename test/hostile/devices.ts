/** Graphics devices that are lost at random moments: the run must end with the unbroken run's numbers, or be offered. */
import { rowOf, type Area, type Row, type Tools } from "./area.ts";
import { findFirefox } from "./firefox.ts";
import { serveHostile, strike, type Look } from "./servedRun.ts";
import { chromiumTabs, firefoxTabs, press, until, type Tabs } from "./tabs.ts";

const ITERATIONS = 20;
/** Losses come within the first of them: on a quiet machine the others are done in a moment. */
const EARLY = 8;
/** Software WebGPU takes seconds a step. */
const LINK =
  `#v1/nano?seed=3&iterations=${ITERATIONS}&backend=webgpu&algorithms=grpo&environment.maxTurns=1` +
  "&optimisation.tasksPerIteration=1&optimisation.groupSize=2&optimisation.minibatch=2" +
  "&optimisation.epochs=1&evaluation.levels=0";

const TIME_LIMIT = 500;

/** Killed so often within minutes, the process is not started again by Chromium. */
const FOR_GOOD = 3;

interface Loss {
  /** A device that is gone, the process that speaks to all of them, or that and every one that comes in its place. */
  how: "device" | "process" | "card";
  after: number;
  delay: number;
}

function losses(count: number, random: () => number): Loss[] {
  return Array.from({ length: count }, (_, i) => ({
    how: i % 3 === 2 ? "process" : "device",
    after: Math.floor(random() * EARLY),
    delay: Math.floor(random() * 700),
  }));
}

/** The browser gave no device to begin with: a run that has not begun can lose none. */
class NoCard extends Error {}

const isOver = ({ state }: Look) => state === "finished" || state === "failed";

/** Null where this browser gives pages no WebGPU. */
async function unbroken(tabs: Tabs, url: string): Promise<string | null> {
  const tab = await tabs.open(url + LINK);
  await press(tab, "run");
  const { fingerprint } = await until(tab, isOver, TIME_LIMIT);
  await tab.close();
  return fingerprint;
}

async function lose(tabs: Tabs, url: string, loss: Loss, expected: string): Promise<string | null> {
  const tab = await tabs.open(url + LINK);
  try {
    await press(tab, "run");
    const ready = (look: Look) => look.state === "running" && look.done >= loss.after;
    const begun = await until(tab, (look) => ready(look) || isOver(look), TIME_LIMIT);
    if (begun.state === "failed" && begun.done === 0) throw new NoCard(begun.problem ?? "");
    await new Promise((resolve) => setTimeout(resolve, loss.delay));
    await (loss.how === "device" ? tab.evaluate(strike("destroy")) : tabs.killGpu!());
    if (loss.how === "card") await killOthers(tabs);
    const noticed = await until(tab, (look) => look.recovered !== null || isOver(look), TIME_LIMIT);
    const end = await until(tab, isOver, TIME_LIMIT);
    if (noticed.recovered === null) return `${told(loss)} was not noticed: ${JSON.stringify(end)}`;
    if (end.fingerprint === expected) return null;
    // On WebAssembly from somewhere on: it says so, and promises nothing.
    if (end.state === "finished" && end.moved) return null;
    if (end.state === "failed" && end.savable && end.continuable) return null;
    return `${told(loss)}: ${JSON.stringify(end)}`;
  } finally {
    await tab.close();
  }
}

/** Each process that takes the place of the one that was killed, as soon as it is there. */
async function killOthers(tabs: Tabs): Promise<void> {
  for (let i = 1; i < FOR_GOOD; i++) {
    await new Promise((resolve) => setTimeout(resolve, 4000));
    await tabs.killGpu!();
  }
}

function told({ how, after, delay }: Loss): string {
  return `the loss of a ${how} after iteration ${after} and ${delay} ms`;
}

/** Each in a browser of its own: one whose process has been killed trusts WebGPU less each time, and soon no more. */
async function inChromium(url: string, { full, random, say }: Tools): Promise<Row[]> {
  const tabsFor = async <T>(act: (tabs: Tabs) => Promise<T>) => {
    const tabs = await chromiumTabs();
    return act(tabs).finally(() => tabs.close());
  };
  const expected = await tabsFor((tabs) => unbroken(tabs, url));
  if (expected === null) throw new Error("Chromium gives no WebGPU here, not even in software");
  const row = (what: string, all: readonly Loss[]) =>
    rowOf(`${what} in Chromium`, all, async (loss, i) => {
      say(`Chromium: ${what} ${i + 1} of ${all.length} (${loss.how})`);
      const attempt = () => tabsFor((tabs) => lose(tabs, url, loss, expected));
      return attempt().catch((error: unknown) => {
        if (!(error instanceof NoCard)) throw error;
        say("Chromium gave no device; once more in another browser");
        return attempt();
      });
    });
  const cards = losses(full ? 6 : 2, random("devices-cards"));
  return [
    await row("device losses", losses(full ? 20 : 10, random("devices-chromium"))),
    await row(
      "cards gone for good",
      cards.map((loss) => ({ ...loss, how: "card" })),
    ),
  ];
}

async function inFirefox(url: string, { full, random, say }: Tools): Promise<Row | null> {
  if (findFirefox() === null) return null;
  const tabs = await firefoxTabs({
    "dom.webgpu.enabled": true,
    "gfx.webgpu.ignore-blocklist": true,
  });
  try {
    const expected = await unbroken(tabs, url);
    if (expected === null) {
      say("Firefox gives no WebGPU here: device losses do not apply");
      return null;
    }
    const all = losses(full ? 10 : 5, random("devices-firefox")).map((loss) => ({
      ...loss,
      how: "device" as const,
    }));
    return await rowOf("device losses in Firefox", all, (loss) => lose(tabs, url, loss, expected));
  } finally {
    await tabs.close();
  }
}

export const devices: Area = {
  name: "devices",
  run: async (tools) => {
    const site = await serveHostile();
    try {
      const firefox = await inFirefox(site.url, tools);
      return [...(await inChromium(site.url, tools)), ...(firefox ? [firefox] : [])];
    } finally {
      await site.close();
    }
  },
};
