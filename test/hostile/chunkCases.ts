/** What can happen to the page's files during a run, and what must be seen of it. */
import type { FaultyServer } from "../browser/faultyServer.ts";

/** The page with a run in it. */
export interface Here {
  server: FaultyServer;
  see(css: string): Promise<void>;
  /** Clicks what has this test id. */
  press(id: string): Promise<void>;
  key(key: "v" | "d"): Promise<void>;
  visit(hash: string): Promise<void>;
  ask<T>(code: string): Promise<T>;
  /** Waits for the end of the run. */
  fingerprint(): Promise<string>;
  close(): Promise<void>;
}

export interface ChunkCase {
  name: string;
  /** Whether the page may fetch everything beforehand. */
  preloads?: boolean;
  act: (here: Here) => Promise<void>;
}

const failed = (part: string) => `[data-testid=part-failed][data-part=${part}]`;
const LENS = "[data-testid=lens]";
const FORMULA = ".katex-html";

/** Header and, beside the lens, the run's bar with its buttons, whatever panel is in front: nothing took them away. */
async function alive(here: Here, withRun: boolean): Promise<void> {
  await here.see(".page-header");
  if (!withRun) return;
  await here.see("[data-run-state]");
  const state = await here.ask<string>(
    `document.querySelector("[data-run-state]").dataset.runState`,
  );
  if (state !== "running" && state !== "finished") throw new Error(`the run is ${state}`);
}

async function again(here: Here, part: string): Promise<void> {
  await here.ask(`document.querySelector(${JSON.stringify(`${failed(part)} button`)}).click()`);
}

/** Something is missing, so a part fails; it is back, and the part comes. */
async function comesBack(here: Here, part: string, shown: string, withRun = true): Promise<void> {
  await here.see(failed(part));
  await alive(here, withRun);
  await here.server.comeUp();
  here.server.lose(null);
  here.server.mistake(null);
  await again(here, part);
  await here.see(shown);
}

/** By its address, while the lens is open: a link without the layout that the address has by then brings the panel to the front. */
const openPanel = (here: Here, id: string) =>
  here.ask<void>(
    `void (location.hash = location.hash.replace(/&(open|layout)=[^&]*/g, "") + "&open=${id}")`,
  );

/** Tenths of a second: beside a run on two busy cores, fetching everything takes minutes. */
const PRELOAD_LIMIT = 3000;

const preloaded = async (here: Here) => {
  const done = `performance.getEntriesByName("turnbook-preloaded").length > 0`;
  for (let i = 0; !(await here.ask<boolean>(done)); i++) {
    if (i > PRELOAD_LIMIT) throw new Error("the page never had everything beforehand");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** A panel's file is not there, or not what it should be, when the lens is opened. */
const missingPanel = (id: string, part: string, spoil: (server: FaultyServer) => void) => ({
  act: async (here: Here) => {
    spoil(here.server);
    await here.key("v");
    await here.see(LENS);
    await openPanel(here, id);
    await comesBack(here, part, `[data-panel=${id}] .panel`);
  },
});

export const chunkCases: readonly ChunkCase[] = [
  {
    name: "offline",
    act: async (here) => {
      await here.server.goDown();
      await here.key("v");
      await comesBack(here, "LensView", LENS);
    },
  },
  {
    name: "panel-404",
    ...missingPanel("episodes", "Figure", (server) => server.lose(/\/episodes-/)),
  },
  {
    name: "page-for-chunk",
    ...missingPanel("formula", "FormulaPanel", (server) => server.mistake(/FormulaPanel/)),
  },
  {
    name: "shared-404",
    // Its own file comes; what it shares with views that are not open does not. Panels share only what the lens brings.
    act: async (here) => {
      here.server.lose(/shared-/);
      await here.key("d");
      await comesBack(here, "AlgorithmsView", "[data-testid=algorithms]", false);
      const asked = (part: RegExp) => here.server.asked.some((path) => part.test(path));
      if (!asked(/AlgorithmsView.*js/)) throw new Error("its own file was never asked for");
    },
  },
  {
    name: "slow",
    act: async (here) => {
      here.server.delay(/LensView/, 5000);
      await here.key("v");
      await alive(here, true);
      await here.see(LENS);
    },
  },
  {
    name: "deployed",
    act: async (here) => {
      here.server.lose(/^assets\//);
      await here.key("v");
      await comesBack(here, "LensView", LENS);
    },
  },
  {
    name: "preloaded",
    preloads: true,
    act: async (here) => {
      await preloaded(here);
      here.server.lose(/./);
      await here.key("v");
      await here.see(LENS);
      await openPanel(here, "formula");
      await here.see("[data-panel=formula] .panel");
      await here.visit("algorithms-grpo");
      await here.see(FORMULA);
      if (await here.ask(`document.querySelector("[data-testid=part-failed]") !== null`))
        throw new Error("a part was missing");
    },
  },
  {
    name: "style",
    act: async (here) => {
      here.server.lose(/katex.*css$/);
      await here.visit("algorithms-grpo");
      await comesBack(here, "katex", FORMULA, false);
      const styled = `[...document.styleSheets].some(({ href }) => /katex/.test(href ?? ""))`;
      if (!(await here.ask(styled))) throw new Error("formulas without their style");
    },
  },
  {
    name: "katex",
    act: async (here) => {
      here.server.lose(/katex.*js$/);
      await here.visit("algorithms-grpo");
      await here.see(".tex-source");
      await comesBack(here, "katex", FORMULA, false);
    },
  },
  {
    name: "view-offline",
    act: async (here) => {
      await here.server.goDown();
      await here.key("d");
      await comesBack(here, "AlgorithmsView", "[data-testid=algorithms]", false);
    },
  },
];
