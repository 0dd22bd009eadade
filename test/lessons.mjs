// `npm run test:lessons`: walks every lesson of the course in Chromium, and trains its experiments; see browser/lessons.test.ts.
// `-- grpo clip` walks these alone. Says what each lesson took as it goes, then the minutes and the load in which they passed.
import { loadavg } from "node:os";
import { spawnSync } from "node:child_process";
import { ensureInstalled, root } from "../src/cli/setup.mjs";

ensureInstalled();
const args = [
  "--no-install",
  "vitest",
  "run",
  "--project",
  "screens",
  "test/browser/lessons.test.ts",
  "--reporter",
  "verbose",
];
const began = performance.now();
const { status } = spawnSync("npx", args, {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, TURNBOOK_LESSONS: process.argv.slice(2).join(",") || "all" },
});
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
console.log(`${minutes} min; load average ${loadavg()[0].toFixed(1)}`);
process.exit(status ?? 1);
