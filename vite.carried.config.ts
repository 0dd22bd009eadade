/** The page as one classic script, beside the page of modules: `npm run build` makes both. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { buildKernels } from "./src/engine/wasm/build.mjs";
import { carriedFiles, SCRIPT, STYLE } from "./src/app/build/carriedFiles.ts";
import { courseDefine } from "./src/app/build/course.mjs";
import { CLASSIC, classicWorkers, dropUnused, ONE_SCRIPT } from "./src/app/build/classicWorkers.ts";

const root = import.meta.dirname;

export default defineConfig(async () => {
  await buildKernels();
  return {
    root,
    base: "./",
    publicDir: false as const,
    define: courseDefine(root),
    plugins: [react(), classicWorkers(root), dropUnused, carriedFiles(root)],
    build: {
      ...ONE_SCRIPT,
      emptyOutDir: false,
      chunkSizeWarningLimit: 20_000,
      rolldownOptions: {
        ...CLASSIC,
        input: `${root}/src/app/carried/main.tsx`,
        output: { ...CLASSIC.output, entryFileNames: SCRIPT, assetFileNames: STYLE },
      },
    },
  };
});
