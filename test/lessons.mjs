// `npm run test:lessons`: walks every lesson of the course in Chromium, and trains its experiments; see browser/lessons.test.ts.
import { spawnSync } from "node:child_process";
import { ensureInstalled, root } from "../src/cli/setup.mjs";

ensureInstalled();
const args = [
  "--no-install",
  "vitest",
  "run",
  "--project",
  "browser",
  "test/browser/lessons.test.ts",
];
const { status } = spawnSync("npx", args, {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, TURNBOOK_LESSONS: "all" },
});
process.exit(status ?? 1);
