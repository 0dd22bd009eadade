// `node test/bench/pageTimes.mjs`: what the page lets one wait, and how long it is ever busy, each against its limit. Tests take
// these times, too, but only say them: a time holds on a machine that does nothing else.
import { spawnSync } from "node:child_process";
import { findBrowser } from "../browser/find.mjs";
import { root } from "../../src/cli/setup.mjs";

const FILES = ["episodes", "page", "liveLens", "formula", "largeRun", "machine"].map(
  (name) => `test/browser/${name}.test.ts`,
);

const { status } = spawnSync(
  "npx",
  [
    ...[
      "--no-install",
      "vitest",
      "run",
      "--project",
      "browser",
      "--project",
      "screens",
      "--no-file-parallelism",
    ],
    ...FILES,
    "test/e2e/soak.test.ts",
  ],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, TURNBOOK_TIMES: "1", CHROME_PATH: findBrowser() ?? "" },
  },
);
process.exit(status ?? 1);
