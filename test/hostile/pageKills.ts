/**
 * A page that ends while somebody trains and writes in it: its tab closed or crashed, reloaded, its training worker killed, or the
 * whole browser. At most a second of typing and the iteration in progress are lost, and the run ends with the unbroken fingerprint.
 */
import type { BrowserContext, Page } from "playwright-core";
import { by, launchProfile } from "../browser/support.ts";
import { rowOf, type Area, type Tools } from "./area.ts";
import { browserOf } from "./browserOf.ts";
import { KEEP_WORKERS, LOOK, serveHostile, strike, type Look } from "./servedRun.ts";
import { sweepKillRow } from "./sweepKills.ts";

type Backend = "wasm" | "webgpu";

/** On WebGPU smaller: a software adapter takes seconds a step. */
const SIZES: Record<Backend, { iterations: number; turns: number; optimisation: string }> = {
  wasm: {
    ...{ iterations: 40, turns: 2 },
    optimisation: "tasksPerIteration: 2, groupSize: 4, minibatch: 8, epochs: 1",
  },
  webgpu: {
    ...{ iterations: 12, turns: 1 },
    optimisation: "tasksPerIteration: 1, groupSize: 2, minibatch: 2, epochs: 1",
  },
};

function notebookOn(backend: Backend): string {
  const { iterations, turns, optimisation } = SIZES[backend];
  return `# Written

\`\`\`experiment id=first
preset: nano
seed: 7
algorithms: [grpo]
iterations: ${iterations}
backend: ${backend}
environment: { maxTurns: ${turns} }
optimisation: { ${optimisation} }
evaluation: { levels: 0 }
\`\`\`
`;
}

/** Milliseconds of typing that a kill may cost. */
const MAY_LOSE = 1000;
/** Kills of one run. */
const KILLS = 5;
/** Milliseconds that anything may take on a busy machine, compiling a software adapter's kernels too. */
const TIME_LIMIT = 60_000;

const KINDS = ["close", "crash", "reload", "worker", "browser"] as const;

interface Kill {
  kind: (typeof KINDS)[number];
  /** Milliseconds of writing and training before it. */
  after: number;
  /** Iterations that have been trained before the writing. */
  from: number;
}

/** One run in one notebook, from its beginning to its end, through some kills. */
class Life {
  context!: BrowserContext;
  page!: Page;
  /** How many words were typed, and which of them may not be lost any more. */
  #words = 0;
  #safe = new Set<string>();
  #address = "";
  /** What the page asked before it was left. */
  readonly #asked: string[] = [];
  readonly #profile: string;
  readonly #site: string;
  readonly #backend: Backend;

  constructor(profile: string, site: string, backend: Backend) {
    this.#profile = profile;
    this.#site = site;
    this.#backend = backend;
  }

  async begin(): Promise<void> {
    await this.#launch();
    this.page = await this.context.newPage();
    await this.page.goto(`${this.#site}#notebooks`);
    const file = {
      name: "a.turnbook.md",
      mimeType: "text/markdown",
      buffer: Buffer.from(notebookOn(this.#backend)),
    };
    await by(this.page, "notebook-file").setInputFiles(file);
    await by(this.page, "book-bar").waitFor();
    this.#address = this.page.url();
    await by(this.page, "run").first().click();
    await this.#slow();
  }

  async #launch(): Promise<void> {
    this.context = await launchProfile(this.#profile);
    this.context.setDefaultTimeout(TIME_LIMIT);
    await this.context.addInitScript(KEEP_WORKERS);
    this.context.on("dialog", (dialog) => {
      this.#asked.push(dialog.type());
      void dialog.accept();
    });
  }

  /** Slow enough that it is still under way when the page ends. */
  async #slow(): Promise<void> {
    await by(this.page, "pace").first().selectOption("1000");
  }

  /** Writes and trains for a while, ends the page, and opens it again; what was lost beyond what may be. */
  async suffer({ kind, after, from }: Kill): Promise<string | null> {
    await this.#until(({ done }) => done >= from);
    await this.#edit();
    const typed: { at: number; word: string }[] = [];
    const begin = performance.now();
    let done = 0;
    while (performance.now() - begin < after) {
      const word = `w${this.#words++}.`;
      await this.page.keyboard.insertText(` ${word}`);
      typed.push({ at: performance.now(), word });
      ({ done } = await this.look());
    }
    const killed = performance.now();
    for (const { at, word } of typed) if (at <= killed - MAY_LOSE) this.#safe.add(word);
    await this.#end(kind);
    const what = `${kind} after ${after} ms`;
    const lost = await this.#lost();
    if (lost.length > 0) return `${what}: ${lost.join(" ")} of ${this.#words} words are lost`;
    const kept = await this.#keptIteration();
    if (kept < done) return `${what}: ${kept} iterations of ${done} are kept`;
    if (this.#asked.length > 0) return `${what}: the page asked (${this.#asked.join(", ")})`;
    await this.#resume(kind);
    return null;
  }

  async #edit(): Promise<void> {
    await by(this.page, "mode-edit").click();
    const editor = this.page.locator(".cm-content");
    if (!(await editor.isVisible())) await by(this.page, "edit-cell").first().click();
    await editor.click();
    await this.page.keyboard.press("Control+End");
  }

  async #end(kind: Kill["kind"]): Promise<void> {
    if (kind === "worker") return void (await this.page.evaluate(strike("terminate")));
    if (kind === "reload") await this.page.reload();
    else {
      if (kind === "browser") await this.#killBrowser();
      else if (kind === "close") await this.page.close();
      else {
        const crashed = this.page.waitForEvent("crash");
        void this.page.goto("chrome://crash").catch(() => null);
        await crashed;
      }
      this.page = await this.context.newPage();
      await this.page.goto(this.#address);
    }
    await by(this.page, "book-bar").waitFor();
  }

  async #killBrowser(): Promise<void> {
    const closed = this.context.waitForEvent("close");
    process.kill(browserOf(this.#profile), "SIGKILL");
    await closed;
    await this.#launch();
  }

  /** A reload and a new worker ask nothing; another tab is offered the run. */
  async #resume(kind: Kill["kind"]): Promise<void> {
    if (kind !== "reload" && kind !== "worker") await by(this.page, "resume-run").click();
    await this.#until(({ state }) => state === "running" || state === "finished");
    await this.#slow();
  }

  /** Words that are in no kept notebook, but must be. */
  async #lost(): Promise<string[]> {
    const all = await this.#read("turnbook-notebooks", "notebooks");
    const text = all.map((one) => String(one["text"])).join("\n");
    return [...this.#safe].filter((word) => !text.includes(word));
  }

  /** Iterations at the newest checkpoint that is kept, among the browser's files or in its database. */
  async #keptIteration(): Promise<number> {
    const runs = await this.#read("turnbook-runs", "checkpoints");
    const inFiles = await this.page.evaluate<number>(NEWEST_FILE);
    return Math.max(inFiles, ...runs.map((one) => Number(one["iteration"])));
  }

  #read(database: string, store: string): Promise<Record<string, unknown>[]> {
    const read = ([name, table]: readonly string[]) =>
      new Promise<Record<string, unknown>[]>((resolve, reject) => {
        const asked = indexedDB.open(name!);
        asked.onerror = () => reject(new Error(`${name} cannot be opened`));
        asked.onsuccess = () => {
          const all = asked.result.transaction(table!).objectStore(table!).getAll();
          all.onsuccess = () => {
            asked.result.close();
            resolve(all.result as Record<string, unknown>[]);
          };
        };
      });
    return this.page.evaluate(read, [database, store] as const);
  }

  look(): Promise<Look> {
    return this.page.evaluate<Look>(LOOK);
  }

  async #until(isSo: (look: Look) => boolean): Promise<Look> {
    const end = performance.now() + 5 * TIME_LIMIT;
    for (;;) {
      const look = await this.look();
      if (isSo(look)) return look;
      if (performance.now() > end) throw new Error(`never so: ${JSON.stringify(look)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** At full speed to its end; its fingerprint. @throws Error where another engine has trained it. */
  async finish(): Promise<string | null> {
    await by(this.page, "pace").first().selectOption("0");
    const { fingerprint, engine } = await this.#until(({ fingerprint }) => fingerprint !== null);
    if (!engine.includes(`on ${this.#backend}`)) throw new Error(`it was trained ${engine}`);
    return fingerprint;
  }

  /** Its words are all there at the end, too. */
  async wrongAtEnd(expected: string): Promise<string | null> {
    const fingerprint = await this.finish();
    if (fingerprint !== expected) return `the run ended with ${fingerprint}, not ${expected}`;
    const lost = await this.#lost();
    return lost.length === 0 ? null : `at the end ${lost.join(" ")} are lost`;
  }
}

/** An expression for the page: iterations at the newest checkpoint among its files, as their heads say; 0 without one. */
const NEWEST_FILE = `(async () => {
  let newest = 0;
  const root = await navigator.storage.getDirectory();
  const runs = await root.getDirectoryHandle("turnbook-runs").catch(() => null);
  for await (const run of runs?.values() ?? [])
    for await (const slot of run.values()) {
      // Again where a worker is just writing it.
      let head = null;
      while (head === null) head = await (await slot.getFile()).slice(0, 256).text().catch(() => null);
      if (head.startsWith("{")) newest = Math.max(newest, JSON.parse(head).iteration);
    }
  return newest;
})()`;

/** In rounds of five kinds, each in an order of its own. */
function killsOf(count: number, random: () => number): Kill[] {
  const kills: Kill[] = [];
  while (kills.length < count) {
    const left: Kill["kind"][] = [...KINDS];
    while (left.length > 0) {
      const [kind] = left.splice(Math.floor(random() * left.length), 1);
      kills.push({ kind: kind!, after: 500 + Math.floor(random() * 3000), from: 0 });
    }
  }
  return kills.slice(0, count);
}

export const pageKills: Area = {
  name: "pageKills",
  run: async (tools) => {
    const site = await serveHostile();
    try {
      return [
        await killRow(site.url, tools),
        await killRow(site.url, tools, "webgpu"),
        await sweepKillRow(site.url, tools),
      ];
    } finally {
      await site.close();
    }
  },
};

/** The fingerprint of the undisturbed run. */
async function unbroken(url: string, profile: string, backend: Backend): Promise<string> {
  const life = new Life(profile, url, backend);
  await life.begin();
  const fingerprint = await life.finish();
  await life.context.close();
  return fingerprint!;
}

/** On WebGPU one round, in which each life has trained an iteration more before it ends. */
async function killRow(url: string, tools: Tools, backend: Backend = "wasm") {
  const { full, random, seed, say, folder } = tools;
  const expected = await unbroken(url, folder(`unbroken-${backend}`), backend);
  const kills =
    backend === "wasm"
      ? killsOf(full ? 60 : 20, random("page-kills"))
      : killsOf(KILLS, random("page-kills-webgpu")).map((kill, i) => ({ ...kill, from: i + 1 }));
  let life: Life | null = null;
  const what = `pages ended while training on ${backend} and writing (seed ${seed})`;
  const row = await rowOf(what, kills, async (kill, i) => {
    say(`page kill ${i + 1} of ${kills.length} (${kill.kind}, ${backend})`);
    if (!life) await (life = new Life(folder(`life-${backend}`), url, backend)).begin();
    const lost = await life.suffer(kill);
    if (lost === null && i % KILLS < KILLS - 1) return null;
    const wrong = lost ?? (await life.wrongAtEnd(expected));
    await life.context.close();
    life = null;
    return wrong;
  });
  return row;
}
