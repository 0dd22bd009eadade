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

const PATIENCE = 500;

interface Loss {
  /** A device that is gone, or the process that speaks to all of them. */
  how: "device" | "process";
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
  const { fingerprint } = await until(tab, isOver, PATIENCE);
  await tab.close();
  return fingerprint;
}

async function lose(tabs: Tabs, url: string, loss: Loss, expected: string): Promise<string | null> {
  const tab = await tabs.open(url + LINK);
  try {
    await press(tab, "run");
    const ready = (look: Look) => look.state === "running" && look.done >= loss.after;
    const begun = await until(tab, (look) => ready(look) || isOver(look), PATIENCE);
    if (begun.state === "failed") throw new NoCard(begun.problem ?? "");
    await new Promise((resolve) => setTimeout(resolve, loss.delay));
    if (loss.how === "process") await tabs.killGpu!();
    else await tab.evaluate(strike("destroy"));
    const noticed = await until(tab, (look) => look.recovered !== null || isOver(look), PATIENCE);
    const end = await until(tab, isOver, PATIENCE);
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

function told({ how, after, delay }: Loss): string {
  return `the loss of a ${how} after iteration ${after} and ${delay} ms`;
}

async function inChromium(url: string, { full, random, say }: Tools): Promise<Row> {
  const all = losses(full ? 20 : 10, random("devices-chromium"));
  let tabs = await chromiumTabs();
  try {
    const expected = await unbroken(tabs, url);
    if (expected === null) throw new Error("Chromium gives no WebGPU here, not even in software");
    return await rowOf("device losses in Chromium", all, async (loss, i) => {
      say(`Chromium: loss ${i + 1} of ${all.length} (${loss.how})`);
      // A browser whose process has been killed trusts WebGPU no more.
      if (i > 0 && all[i - 1]!.how === "process") {
        await tabs.close();
        tabs = await chromiumTabs();
      }
      try {
        return await lose(tabs, url, loss, expected);
      } catch (error) {
        if (!(error instanceof NoCard)) throw error;
        say(`Chromium gave loss ${i + 1} no device; once more in another browser`);
        await tabs.close();
        tabs = await chromiumTabs();
        return lose(tabs, url, loss, expected);
      }
    });
  } finally {
    await tabs.close();
  }
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
      return [await inChromium(site.url, tools), ...(firefox ? [firefox] : [])];
    } finally {
      await site.close();
    }
  },
};
