import { defineConfig } from "vitest/config";

// Three projects, so that the test command can run and time them apart:
// unit (pure code and the command line), engine (tensor goldens and parity), browser (real Chromium).
export default defineConfig({
  test: {
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
          name: "browser",
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
