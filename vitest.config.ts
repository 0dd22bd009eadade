import { defineConfig } from "vitest/config";
import { SLOW } from "./test/slow.ts";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Four projects, so that the test command can run and time them apart: unit (pure code and the command line),
// engine (tensor goldens and parity), browser (the page in real Chromium), alone (what needs the machine to itself:
// software WebGPU takes both cores, and some of it is timed by the clock).
// Beside them `fast`: the units that take no time, for the inner loop (`npm run test:fast`).
const ALONE = ["largeRun", "liveLens", "machine"].map((name) => `test/browser/${name}.test.ts`);

/** Tests of the other projects. */
const ELSEWHERE = ["test/engine/**", "test/browser/**", "test/e2e/**", "test/bench/**"];

/** Pages on a busy machine. */
const PATIENCE = {
  testTimeout: 400_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 15_000 } },
};

/** The longest files first: last, they would keep one core waiting. */
const LONG = ["stories", "soak", "page", "fork", "run", "phase", "ops"];
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONG.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Two cores: more workers than that only make the long tests slower.
    maxWorkers: 2,
    globalSetup: ["test/kernels.mjs"],
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ELSEWHERE,
          // Training and the command line's processes are slow on a busy machine.
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: [...ELSEWHERE, ...SLOW],
          // Modules are loaded once a worker, not once a file: that is half of the time.
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "engine",
          include: ["test/engine/**/*.test.ts", "test/bench/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts", "test/e2e/**/*.test.ts"],
          exclude: ALONE,
          // Two at a time: what they time is processor time.
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "alone",
          include: ALONE,
          fileParallelism: false,
          ...PATIENCE,
        },
      },
    ],
  },
});
