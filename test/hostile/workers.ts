/** Training workers that end, fail or hang at random moments: the run must end as if nothing had happened, or be offered. */
import { rowOf, type Area, type Row, type Tools } from "./area.ts";
import { findFirefox } from "./firefox.ts";
import { serveHostile, strike, type Blow, type Look } from "./servedRun.ts";
import { chromiumTabs, firefoxTabs, press, until, type Tab, type Tabs } from "./tabs.ts";

const ITERATIONS = 24;
const LINK =
  `#v1/nano?seed=7&iterations=${ITERATIONS}&backend=wasm&algorithms=grpo&environment.maxTurns=2` +
  "&optimisation.tasksPerIteration=2&optimisation.groupSize=4&optimisation.minibatch=8&optimisation.epochs=1" +
  "&evaluation.levels=0";

/** Most a run may take on a busy machine, in seconds. */
const TIME_LIMIT = 400;

/** A worker that hangs is noticed by its silence alone, which takes a while: fewer of these. */
const KINDS: readonly Blow[] = ["close", "throw", "reject", "terminate"];
const WORDS: Partial<Record<Blow, string>> = {
  ...{ close: "closes itself", throw: "throws", reject: "leaves a rejection unhandled" },
  ...{ terminate: "is terminated", hang: "hangs" },
};

interface Death {
  blow: Blow;
  /** Iterations done by then; 0: while loading. */
  after: number;
  /** And that many milliseconds later. */
  delay: number;
}

function deaths(count: number, hangs: number, random: () => number): Death[] {
  return Array.from({ length: count }, (_, i) => ({
    blow: i < hangs ? "hang" : KINDS[i % KINDS.length]!,
    after: Math.floor(random() * (ITERATIONS - 4)),
    delay: Math.floor(random() * 300),
  }));
}

const isOver = ({ state }: Look) => state === "finished" || state === "failed";

async function unbroken(tabs: Tabs, url: string): Promise<string> {
  const tab = await tabs.open(url + LINK);
  await press(tab, "run");
  const { fingerprint, problem } = await until(tab, isOver, TIME_LIMIT);
  await tab.close();
  if (fingerprint === null) throw new Error(`the unbroken run failed: ${problem}`);
  return fingerprint;
}

/** Null where the run survived. */
async function die(tab: Tab, death: Death, expected: string): Promise<string | null> {
  const words = `a worker that ${WORDS[death.blow]} after iteration ${death.after} and ${death.delay} ms`;
  await press(tab, "run");
  await until(tab, ({ done, state }) => done >= death.after && state !== "idle", TIME_LIMIT);
  await new Promise((resolve) => setTimeout(resolve, death.delay));
  await tab.evaluate(strike(death.blow));
  const noticed = await until(tab, (look) => look.silent || look.recovered !== null, TIME_LIMIT);
  if (noticed.silent) await press(tab, "replace-worker");
  const end = await until(tab, isOver, TIME_LIMIT);
  if (end.state === "failed" && end.savable && end.continuable) return null;
  if (end.fingerprint === expected && noticed.recovered !== null) return null;
  if (end.fingerprint === expected && noticed.silent) return null;
  return `${words}: ${JSON.stringify(end)}`;
}

async function row(
  tabs: Tabs,
  url: string,
  all: Death[],
  expected: string,
  { say }: Tools,
): Promise<Row> {
  return rowOf(`worker deaths in ${tabs.name}`, all, async (death, i) => {
    say(`${tabs.name}: death ${i + 1} of ${all.length} (${death.blow})`);
    const tab = await tabs.open(url + LINK);
    try {
      return await die(tab, death, expected);
    } finally {
      await tab.close();
    }
  });
}

export const workers: Area = {
  name: "workers",
  run: async (tools) => {
    const { full, random, say } = tools;
    const site = await serveHostile();
    const chromium = await chromiumTabs();
    const rows: Row[] = [];
    try {
      const expected = await unbroken(chromium, site.url);
      const inChromium = deaths(full ? 60 : 20, full ? 12 : 3, random("workers-chromium"));
      rows.push(await row(chromium, site.url, inChromium, expected, tools));
      if (findFirefox() === null) say("no Firefox here: not tried there");
      else {
        const firefox = await firefoxTabs();
        const inFirefox = deaths(full ? 15 : 5, 1, random("workers-firefox"));
        try {
          rows.push(await row(firefox, site.url, inFirefox, expected, tools));
        } finally {
          await firefox.close();
        }
      }
    } finally {
      await chromium.close();
      await site.close();
    }
    return rows;
  },
};
