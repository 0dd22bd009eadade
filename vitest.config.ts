import { readdirSync, readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";
import { SLOW } from "./test/slow.ts";
import { TIME_LIMIT } from "./test/timeLimit.ts";

// Three projects for `npm test`: unit (pure code, the command line, and pages without layout), engine (tensor goldens and parity),
// browser (what only real Chromium can show of the page's main paths). They run in one process of vitest, so that neither core waits
// for the end of a project. Beside them, for `npm run test:rest`: `screens`, all other tests in Chromium, and `every`, all shapes, rows and
// moments of the tests of which `npm test` takes some (test/every.ts); and `fast`: the units that take no time, for the inner loop
// (`npm run test:fast`).

/** Slow whole files, of what seldom breaks alone: a package, a bench, a collapse. `npm test` leaves them out. */
const EVERY_ALONE = ["cli/pack", "bench/bench"].map((name) => `test/${name}.test.ts`);

/** Tests of the other projects. */
const IN_CHROMIUM = ["test/browser/**", "test/e2e/**"];
const ELSEWHERE = [...IN_CHROMIUM, "test/engine/**", "test/bench/**", ...EVERY_ALONE];

/** Files of which `npm test` takes some tests. */
const WITH_MORE = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `test/${name.replaceAll("\\", "/")}`)
  .filter((name) => readFileSync(name, "utf8").includes('/every.ts"'));

/** Read by test/every.ts. */
const env = { TURNBOOK_EVERY: "1" };

/** Training, pages and the command line's processes are slow on a busy machine, in hooks too. */
const TIMEOUTS = { testTimeout: 400_000, hookTimeout: 400_000 };

const expect = { poll: { timeout: TIME_LIMIT } };

/**
 * Files at once, on two cores. A browser keeps more than one core busy: with a third, nothing comes sooner, and tests of pages wait
 * beyond their limits. The others' files, which come first, wait for timers and for processes of their own: then a third has a core.
 */
const BROWSERS = {
  maxWorkers: 2,
  sequence: { groupOrder: 1 },
  // Several at a time: what they time is processor time.
  isolate: false,
  setupFiles: ["test/courseSetup.mjs"],
  ...TIMEOUTS,
  expect,
};
const OTHERS = { maxWorkers: 3, sequence: { groupOrder: 0 } };

/** Main paths: a run from start to end, its numbers, the lens, figures in all states, a notebook, one's own logs, limits of the first visit. */
const MAIN_PATHS = [
  ...["e2e/run", "e2e/fingerprint", "browser/page", "browser/firstPaint", "browser/policy"],
  ...["browser/lens", "browser/figures", "browser/stories", "browser/axe"],
  ...["browser/notebook", "browser/import", "browser/offline"],
].map((name) => `test/${name}.test.ts`);

/** The longest files of each project, the longest first: last, they would keep one core waiting. See `rankOf` for units. */
const LONG = [
  ...["stories", "parts", "keptRuns", "recorded", "curves", "soak", "page", "machine", "e2e/run"],
  ...["firstPaint", "policy", "present", "notebook", "lens", "liveLens", "workspace", "recovery"],
  ...["carried", "largeRun", "shop", "sharedLinks", "offline", "fingerprint", "algorithms"],
  ...["webgpu/ops", "bigHead", "webgpu/training", "bench", "golden", "selfCheck", "webgpu/run"],
  ...[
    "session",
    "preference/phase",
    "cli/train",
    "runFolder",
    "train/rows",
    "savedRun",
    "iterative",
  ],
  ...["dom/import", "dom/shop", "dom/sharedRun", "dom/fork", "dom/credits", "dom/playground"],
].map((name) => `/${name}.test.ts`);

/** Place among the long ones; those that are not come after them. */
function lengthRank({ moduleId }: TestSpecification): number {
  const at = LONG.findIndex((name) => moduleId.endsWith(name));
  return at < 0 ? LONG.length : at;
}

const isInDom = ({ moduleId }: TestSpecification) =>
  readFileSync(moduleId, "utf8").startsWith("// @vitest-environment happy-dom");

/** A worker keeps its modules while the next file is of its project and kind, so these stay together. */
function rankOf(file: TestSpecification): number {
  const project = ["browser", "screens", "engine", "unit", "fast", "every"].indexOf(
    file.project.name,
  );
  const kind = 2 * project + (isInDom(file) ? 1 : 0);
  return kind * (LONG.length + 1) + lengthRank(file);
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const ranks = new Map(sorted.map((file) => [file, rankOf(file)]));
    return sorted.sort((a, b) => ranks.get(a)! - ranks.get(b)!);
  }
}

const SHUFFLED = process.argv.includes("--sequence.shuffle.files");

export default defineConfig({
  test: {
    // No file may need another one before it: `--sequence.shuffle.files --sequence.seed N` tries other orders.
    sequence: SHUFFLED ? {} : { sequencer: LongestFirst },
    globalSetup: ["test/kernels.mjs"],
    projects: [
      {
        test: {
          name: "unit",
          ...OTHERS,
          include: ["test/**/*.test.ts"],
          exclude: ELSEWHERE,
          setupFiles: ["test/courseSetup.mjs", "test/unitSetup.ts", "test/equalBytes.ts"],
          // Modules are loaded, and runs are trained, once a worker, not once a file: that is half of the time.
          isolate: false,
          ...TIMEOUTS,
          expect,
        },
      },
      {
        test: {
          name: "fast",
          ...OTHERS,
          include: ["test/**/*.test.ts"],
          exclude: [...ELSEWHERE, ...SLOW],
          setupFiles: ["test/courseSetup.mjs", "test/unitSetup.ts", "test/equalBytes.ts"],
          isolate: false,
          ...TIMEOUTS,
          expect,
        },
      },
      {
        test: {
          name: "engine",
          ...OTHERS,
          include: ["test/engine/**/*.test.ts", "test/bench/**/*.test.ts"],
          exclude: EVERY_ALONE,
          setupFiles: ["test/equalBytes.ts"],
          isolate: false,
          ...TIMEOUTS,
        },
      },
      {
        test: {
          name: "browser",
          ...BROWSERS,
          include: MAIN_PATHS,
        },
      },
      {
        test: {
          name: "screens",
          ...BROWSERS,
          include: ["test/browser/**/*.test.ts", "test/e2e/**/*.test.ts"],
          exclude: MAIN_PATHS.filter((name) => !WITH_MORE.includes(name)),
          env,
        },
      },
      {
        test: {
          name: "every",
          ...OTHERS,
          env,
          include: [...WITH_MORE, ...EVERY_ALONE],
          exclude: IN_CHROMIUM,
          setupFiles: ["test/courseSetup.mjs", "test/unitSetup.ts", "test/equalBytes.ts"],
          ...TIMEOUTS,
          expect,
        },
      },
    ],
  },
});
