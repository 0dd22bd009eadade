/** The hostile tests' command: runs the areas one after another and prints the table. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  seeded,
  type Area,
  type CommandOptions,
  type Finished,
  type Row,
  type Tools,
} from "./area.ts";
import { areas } from "./areas.ts";

/** How many of a row's failures are printed. */
const TOLD = 25;

const launcher = join(import.meta.dirname, "..", "..", "src", "cli", "turnbook.mjs");

/** Areas at a time: much of their time is waiting for hangs, lost devices and limits to pass. */
const AT_ONCE = 2;

type Form = Pick<Tools, "full" | "seed">;

export async function main(argv: string[]): Promise<number> {
  const { values, positionals: names } = parseArgs({
    args: argv,
    options: { full: { type: "boolean" }, seed: { type: "string" } },
    allowPositionals: true,
  });
  const form = { full: values.full ?? false, seed: Number(values.seed ?? 0) };
  if (!Number.isSafeInteger(form.seed)) {
    console.error(`--seed is ${values.seed}; it must be a whole number`);
    return 2;
  }
  console.error(`  seed ${form.seed}`);
  const unknown = names.find((name) => !areas.some((area) => area.name === name));
  if (unknown !== undefined) {
    console.error(`no area ${unknown}; areas: ${areas.map(({ name }) => name).join(", ")}`);
    return 2;
  }
  const pages = mkdtempSync(join(tmpdir(), "turnbook-hostile-pages-"));
  // For all areas: what one has built another serves, and two at once build.
  Object.assign(process.env, { TURNBOOK_TEST_PAGES: pages, NODE_ENV: "production" });
  try {
    return await runAreas(names, form);
  } finally {
    rmSync(pages, { recursive: true, force: true });
  }
}

async function runAreas(names: readonly string[], form: Form): Promise<number> {
  const chosen = areas.filter(({ name }) => names.length === 0 || names.includes(name));
  console.log("| area | what | tried | survived | seconds |\n| --- | --- | --- | --- | --- |");
  let lost = 0;
  const waiting = [...chosen];
  const work = async () => {
    for (let area = waiting.shift(); area; area = waiting.shift()) {
      const own = await runArea(area, form);
      lost += own;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(lost === 0 ? "\nAll survive." : `\n${lost} did not survive.`);
  return lost === 0 ? 0 : 1;
}

/** Prints the area's rows; returns how many attempts were lost. */
async function runArea(area: Area, form: Form): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), `turnbook-hostile-${area.name}-`));
  const started = performance.now();
  try {
    const rows = await area.run(toolsFor(folder, form));
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    rows.forEach((row, i) => printRow(area.name, row, i === 0 ? seconds : ""));
    return rows.reduce((sum, row) => sum + row.tried - row.survived, 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function printRow(area: string, { what, tried, survived, lost }: Row, seconds: string): void {
  console.log(`| ${area} | ${what} | ${tried} | ${survived} | ${seconds} |`);
  for (const one of lost.slice(0, TOLD)) console.error(`  LOST ${area}: ${what}: ${one}`);
  if (lost.length > TOLD) console.error(`  LOST ${area}: ${what}: ${lost.length - TOLD} more`);
}

function toolsFor(folder: string, { full, seed }: Form): Tools {
  return {
    full,
    seed,
    // Without a seed as ever: what was tried once is tried again.
    random: (stream) => seeded(seed === 0 ? stream : `${stream} ${seed}`),
    folder: (name) => mkdtempSync(join(folder, `${name}-`)),
    turnbook: runCommand,
    say: (line) => console.error(`  ${line}`),
  };
}

function runCommand(args: string[], options: CommandOptions = {}): Promise<Finished> {
  const { cwd = tmpdir(), input = "", limit = 120, starts = false } = options;
  const started = performance.now();
  const env = { ...process.env, INIT_CWD: cwd };
  return new Promise((resolve) => {
    const child = spawn("node", [launcher, ...args], { cwd, env });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    const kill = () => child.kill("SIGKILL");
    let timer = setTimeout(kill, (starts ? 120 : limit) * 1000);
    child.stderr.on("data", (data: Buffer) => {
      if (starts && stderr === "") {
        clearTimeout(timer);
        timer = setTimeout(kill, limit * 1000);
      }
      stderr += data.toString();
    });
    child.stdin.on("error", () => {}); // a command that does not read its input
    child.stdin.end(input);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr, seconds: (performance.now() - started) / 1000 });
    });
  });
}
