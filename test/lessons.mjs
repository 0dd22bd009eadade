// `npm run test:lessons [-- LESSON ...] [--desk | --phone --keys --offline]`: walks every lesson of the course in Chromium to its end, and
// presses every Run: 360 px wide (--phone), by keys alone (--keys), with the server gone after the first visit (--offline). All three at once
// if none is given; `--desk` is a wide window with a pointer. A fault is a sentence with lesson and step: see browser/lessons.test.ts.
// Says what each lesson took as it goes, then the minutes and the load in which they passed.
import { loadavg } from "node:os";
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { ensureInstalled, root } from "../src/cli/setup.mjs";

const WAYS = ["phone", "keys", "offline"];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(["desk", ...WAYS].map((name) => [name, { type: "boolean" }])),
});
const asked = WAYS.filter((way) => values[way]);
const ways = values.desk ? ["desk"] : asked.length > 0 ? asked : WAYS;

ensureInstalled();
const args = [
  "--no-install",
  "vitest",
  "run",
  "--project",
  "screens",
  "test/browser/lessons.test.ts",
  "--testNamePattern",
  "is walked to its end",
  "--reporter",
  "verbose",
];
const began = performance.now();
const { status } = spawnSync("npx", args, {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    TURNBOOK_LESSONS: positionals.join(",") || "all",
    TURNBOOK_LESSON_WAYS: ways.join(", "),
  },
});
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
console.log(`${minutes} min; load average ${loadavg()[0].toFixed(1)}`);
process.exit(status ?? 1);
