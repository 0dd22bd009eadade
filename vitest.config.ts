import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Four projects, so that the test command can run and time them apart: unit (pure code and the command line),
// engine (tensor goldens and parity), panels (the lens and the shop in real Chromium, without a graphics
// adapter), browser (everything else there).
const PANELS = [
  ...["algorithms", "clip", "credits", "critic", "curves", "doctor", "episodes", "fork"],
  ...["formula", "group", "import", "lens", "page", "playground", "ribbon", "shop", "speed"],
  ...["stories", "tokens"],
]
  .map((name) => `test/browser/${name}.test.ts`)
  // Nothing in it is timed, nor needs an adapter.
  .concat("test/e2e/fingerprint.test.ts");

/** The longest file first: last, it would keep one core waiting. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith("/stories.test.ts");
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
          exclude: ["test/engine/**", "test/browser/**", "test/e2e/**", "test/bench/**"],
          // Training and the command line's processes are slow on a busy machine.
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "engine",
          include: ["test/engine/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "panels",
          include: PANELS,
          // Two at a time: they need no graphics adapter, and what they time is processor time.
          testTimeout: 400_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: "browser",
          exclude: PANELS,
          include: [
            "test/browser/**/*.test.ts",
            "test/e2e/**/*.test.ts",
            "test/bench/**/*.test.ts",
          ],
          // One Chromium at a time: software WebGPU takes both cores.
          fileParallelism: false,
          testTimeout: 400_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
