/**
 * A page that ends while a sweep trains in it. What has finished stays, the run in progress goes on, and both end with the
 * numbers of an undisturbed sweep.
 */
import type { BrowserContext, Page } from "playwright-core";
import { keptSweeps } from "../browser/keptSweeps.ts";
import { by, launchProfile } from "../browser/support.ts";
import { rowOf, type Row, type Tools } from "./area.ts";
import { browserOf } from "./browserOf.ts";
import { KEEP_WORKERS, strike } from "./servedRun.ts";

const NOTEBOOK = `# Swept

\`\`\`experiment id=first
preset: nano
seed: 7
algorithms: [grpo]
iterations: 100
backend: wasm
environment: { maxTurns: 2 }
optimisation: { tasksPerIteration: 2, groupSize: 4, minibatch: 8, epochs: 1 }
evaluation: { levels: 0 }
\`\`\`

\`\`\`sweep id=rates of=first
over: { optimisation.epochs: [1, 2] }
\`\`\`
`;
const TIME_LIMIT = 300_000;
const KINDS = ["close", "crash", "reload", "worker", "browser"] as const;

/** One sweep, from its beginning to its end, through some kills. */
class SweepLife {
  context!: BrowserContext;
  page!: Page;
  #address = "";
  readonly #profile: string;

  constructor(profile: string) {
    this.#profile = profile;
  }

  async begin(site: string): Promise<void> {
    await this.#launch();
    this.page = await this.context.newPage();
    await this.page.goto(`${site}#notebooks`);
    await by(this.page, "notebook-file").setInputFiles({
      name: "swept.turnbook.md",
      mimeType: "text/markdown",
      buffer: Buffer.from(NOTEBOOK),
    });
    await by(this.page, "run-sweep").click();
    this.#address = this.page.url();
  }

  async #launch(): Promise<void> {
    this.context = await launchProfile(this.#profile);
    this.context.setDefaultTimeout(TIME_LIMIT);
    await this.context.addInitScript(KEEP_WORKERS);
    this.context.on("dialog", (dialog) => void dialog.accept());
  }

  /** Iterations of all runs that are kept. */
  async #kept(): Promise<number> {
    return (await keptSweeps(this.page)).reduce((sum, { iteration }) => sum + iteration, 0);
  }

  /** Null where nothing that was kept is lost by it. */
  async suffer(kind: (typeof KINDS)[number], after: number): Promise<string | null> {
    await new Promise((resolve) => setTimeout(resolve, after));
    const before = await this.#kept();
    await this.#end(kind);
    await by(this.page, "sweep").waitFor();
    // Only a sweep that no tab continues waits to be asked.
    if (kind !== "reload" && kind !== "worker") await by(this.page, "run-sweep").click();
    const now = await this.#kept();
    return now < before ? `${kind}: ${now} iterations of ${before} are kept` : null;
  }

  async #end(kind: (typeof KINDS)[number]): Promise<void> {
    if (kind === "worker") return void (await this.page.evaluate(strike("terminate")));
    if (kind === "reload") return void (await this.page.reload());
    if (kind === "browser") {
      const closed = this.context.waitForEvent("close");
      process.kill(browserOf(this.#profile), "SIGKILL");
      await closed;
      await this.#launch();
    } else if (kind === "close") await this.page.close();
    else {
      const crashed = this.page.waitForEvent("crash");
      void this.page.goto("chrome://crash").catch(() => null);
      await crashed;
    }
    this.page = await this.context.newPage();
    await this.page.goto(this.#address);
  }

  /** The last chain of each run, once all have finished. */
  async finish(): Promise<string> {
    await this.page.getByText("All runs have finished").waitFor();
    const runs = await keptSweeps(this.page);
    await this.context.close();
    return runs.map(({ state, chain }) => `${state} ${chain}`).join(", ");
  }
}

export async function sweepKillRow(
  url: string,
  { full, random, folder, seed, say }: Tools,
): Promise<Row> {
  const whole = new SweepLife(folder("whole-sweep"));
  await whole.begin(url);
  const expected = await whole.finish();
  const next = random("sweep-kills");
  const lives = Array.from({ length: full ? 4 : 1 }, (_, i) => i);
  const kills = lives.flatMap(() => KINDS.toSorted(() => next() - 0.5));
  let life: SweepLife | null = null;
  return rowOf(`pages ended while a sweep trains (seed ${seed})`, kills, async (kind, i) => {
    say(`sweep kill ${i + 1} of ${kills.length} (${kind})`);
    if (!life) await (life = new SweepLife(folder(`sweep-life-${i}`))).begin(url);
    const lost = await life.suffer(kind, 500 + Math.floor(next() * 2000));
    if (lost === null && (i + 1) % KINDS.length > 0) return null;
    const ended = lost ?? (await life.finish());
    if (lost !== null) await life.context.close();
    life = null;
    return ended === expected ? null : (lost ?? `the sweep ended with ${ended}, not ${expected}`);
  });
}
