/** The page as one classic script, beside the page of modules: `npm run build` makes both. */
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { buildKernels } from "../../engine/wasm/build.mjs";
import { carriedFiles, SCRIPT, STYLE } from "./carriedFiles.ts";
import { CLASSIC, classicWorkers, leaner, ONE_SCRIPT } from "./classicWorkers.ts";

const root = join(import.meta.dirname, "..", "..", "..");

export default defineConfig(async () => {
  await buildKernels();
  return {
    root,
    base: "./",
    publicDir: false as const,
    plugins: [react(), classicWorkers(root), leaner, carriedFiles(root)],
    build: {
      ...ONE_SCRIPT,
      emptyOutDir: false,
      rolldownOptions: {
        ...CLASSIC,
        input: join(root, "src/app/carried/main.tsx"),
        output: { ...CLASSIC.output, entryFileNames: SCRIPT, assetFileNames: STYLE },
      },
    },
  };
});
