// `npm run test:rest [-- PART ...]`: everything that `npm test` leaves out, part by part, so that nothing rots unseen. Prints one table;
// what each part said is in node_modules/.cache/turnbook-rest. Ends with exit code 1 where a part failed or ran out of its time.
import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { loadavg } from "node:os";
import { join, relative } from "node:path";
import { ensureInstalled, root } from "../src/cli/setup.mjs";

/**
 * Minutes that a part may take; together under two hours. Two cores with nothing else to do are meant: at a load of 8 to 16 hostile took 33,
 * browsers 10, class 5 and soak 3, while lessons and gpus were not through after 18 and 17.
 */
const PARTS = [
  { name: "hostile", minutes: 36, command: ["node", "test/hostile/run.mjs"] },
  {
    name: "screens",
    minutes: 20,
    command: ["npx", "--no-install", "vitest", "run", "--project", "screens"],
  },
  {
    name: "every",
    minutes: 25,
    command: ["npx", "--no-install", "vitest", "run", "--project", "every"],
  },
  { name: "browsers", minutes: 12, command: ["node", "test/browsers/run.mjs"] },
  { name: "lessons", minutes: 18, command: ["node", "test/lessons.mjs"] },
  { name: "class", minutes: 8, command: ["node", "test/classroom/run.mjs"] },
  { name: "gpus", minutes: 17, command: ["node", "test/gpus/run.mjs"] },
  {
    name: "soak",
    minutes: 5,
    command: [
      "npx",
      "--no-install",
      "vitest",
      "run",
      "--project",
      "screens",
      "test/e2e/soak.test.ts",
    ],
    env: { TURNBOOK_SOAK: "30" },
  },
];

const logs = join(root, "node_modules", ".cache", "turnbook-rest");

/** Runs one part, its output in a file; resolves with its row. A part that hangs is ended with all that it started. */
function run({ name, minutes, command: [program, ...args], env = {} }) {
  const log = join(logs, `${name}.log`);
  const file = createWriteStream(log);
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(file, { end: false });
    stream.on("data", (data) => lines.push(...String(data).split("\n")));
  }
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    process.kill(-child.pid, "SIGKILL");
  }, minutes * 60_000);
  return new Promise((resolve) => {
    child.on("close", (status) => {
      clearTimeout(timer);
      file.end();
      const took = ((performance.now() - began) / 60_000).toFixed(1);
      const result = late ? `stopped after ${minutes} min` : status === 0 ? "ok" : "FAILED";
      resolve({ name, took, result, lost: lines.filter(isLoss), log: relative(root, log) });
    });
  });
}

/** What the parts call a failure. */
const isLoss = (line) => /^\s*(LOST|FAIL|not ok|×|✗)\b|\bFAILED\b/.test(line);

ensureInstalled();
mkdirSync(logs, { recursive: true });
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !PARTS.some((part) => part.name === name));
if (unknown !== undefined) {
  console.error(`no part ${unknown}; parts: ${PARTS.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
const rows = [];
for (const part of PARTS.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  console.error(`${part.name}, at most ${part.minutes} min ...`);
  rows.push(await run(part));
}
console.log("\n| part | result | minutes | its output |\n| --- | --- | --- | --- |");
for (const { name, result, took, log } of rows)
  console.log(`| ${name} | ${result} | ${took} | ${log} |`);
for (const { name, lost } of rows) for (const line of lost) console.log(`${name}: ${line.trim()}`);
console.log(`load average ${loadavg()[0].toFixed(1)}`);
process.exit(rows.every(({ result }) => result === "ok") ? 0 : 1);
