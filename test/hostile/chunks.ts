/** Area `chunks`: files of the page that do not come while a run trains; the run must not notice. */
import { builtPage } from "../browser/support.ts";
import { serveFaulty, type FaultyServer } from "../browser/faultyServer.ts";
import { rowOf, type Area, type Row, type Tools } from "./area.ts";
import { chunkCases, type ChunkCase, type Here } from "./chunkCases.ts";
import { findFirefox } from "./firefox.ts";
import { chromiumTabs, firefoxTabs, press, type Tabs } from "./tabs.ts";

/** Of the cases, those that Firefox takes in the short form: it forgets no module that failed once. */
const IN_FIREFOX = ["offline", "deployed", "preloaded", "style", "page-for-chunk"];

const SPEC =
  "#v1/nano?backend=wasm&iterations=12&environment.maxTurns=2&optimisation.tasksPerIteration=1" +
  "&optimisation.groupSize=4&optimisation.minibatch=4&optimisation.epochs=1&critic.epochs=1&critic.warmup=1" +
  "&evaluation.levels=0&evaluation.recordEpisodes=4";

export const chunks: Area = {
  name: "chunks",
  run: async (tools) => {
    const server = await serveFaulty(await builtPage("real"));
    try {
      return await inBrowsers(server, tools);
    } finally {
      await server.close();
    }
  },
};

async function inBrowsers(server: FaultyServer, tools: Tools): Promise<Row[]> {
  const chromium = await chromiumTabs();
  const expected = await unbroken(chromium, server).catch((error: unknown) => String(error));
  tools.say(`the unbroken run's fingerprint is ${expected}`);
  const short = chunkCases.filter(({ name }) => IN_FIREFOX.includes(name));
  const rows = [await tryAll("Chromium", chromium, server, chunkCases, expected, tools)];
  await chromium.close();
  const cases = tools.full ? chunkCases : short;
  if (findFirefox() === null)
    return [...rows, { what: "Firefox", tried: cases.length, survived: 0, lost: ["no Firefox"] }];
  const firefox = await firefoxTabs();
  rows.push(await tryAll("Firefox", firefox, server, cases, expected, tools));
  await firefox.close();
  return rows;
}

function tryAll(
  browser: string,
  tabs: Tabs,
  server: FaultyServer,
  cases: readonly ChunkCase[],
  expected: string,
  tools: Tools,
): Promise<Row> {
  return rowOf(`${browser}: missing files during a run`, cases, async (one) => {
    tools.say(`${browser}: ${one.name}`);
    await heal(server);
    const here = await open(tabs, server, !one.preloads);
    try {
      await here.press("run");
      await here.see("[data-run-state=running]");
      await one.act(here);
      await heal(server);
      const got = await here.fingerprint();
      return got === expected ? null : `${one.name}: fingerprint ${got} instead of ${expected}`;
    } catch (error) {
      return `${one.name}: ${String(error)}`;
    } finally {
      await here.close();
    }
  });
}

async function heal(server: FaultyServer): Promise<void> {
  await server.comeUp();
  server.lose(null);
  server.mistake(null);
  server.delay(null);
}

async function unbroken(tabs: Tabs, server: FaultyServer): Promise<string> {
  const here = await open(tabs, server, true);
  await here.press("run");
  const fingerprint = await here.fingerprint();
  await here.close();
  return fingerprint;
}

const SAVES_DATA = `Object.defineProperty(navigator, "connection", { value: { saveData: true } });`;

const LIMIT_SECONDS = 120;

async function open(tabs: Tabs, server: FaultyServer, savesData: boolean): Promise<Here> {
  const tab = await tabs.open(server.url + SPEC, savesData ? SAVES_DATA : "");
  const isThere = (css: string) => `document.querySelector(${JSON.stringify(css)}) !== null`;
  const see = async (css: string) => {
    const end = performance.now() + LIMIT_SECONDS * 1000;
    while (!(await tab.evaluate<boolean>(isThere(css)))) {
      if (performance.now() > end) throw new Error(`never seen: ${css}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return {
    server,
    see,
    press: (id) => press(tab, id),
    key: (key) => {
      const event = `new KeyboardEvent("keydown", { key: "${key}", bubbles: true })`;
      return tab.evaluate(`void document.body.dispatchEvent(${event})`);
    },
    visit: (hash) => tab.evaluate(`void (location.hash = ${JSON.stringify(hash)})`),
    ask: (code) => tab.evaluate(code),
    fingerprint: async () => {
      if (!(await tab.evaluate(isThere(STATUS)))) await press(tab, "to-notebook");
      await see(`${STATUS}[data-state=finished], ${STATUS}[data-state=failed]`);
      await see("[data-testid=fingerprint] code");
      return tab.evaluate(`document.querySelector("[data-testid=fingerprint] code").textContent`);
    },
    close: () => tab.close(),
  };
}

const STATUS = "[data-testid=status]";
