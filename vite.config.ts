import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { chunksPlugin } from "./src/app/build/chunks.ts";
import { courseDefine } from "./src/app/build/course.mjs";
import { fonts } from "./src/app/build/fonts.ts";
import { framePlugin } from "./src/app/build/frame.ts";
import { offlinePlugin } from "./src/app/build/offline.ts";
import { pageFilesPlugin } from "./src/app/build/pageFiles.ts";
import { policy } from "./src/app/build/policy.ts";
import { buildKernels } from "./src/engine/wasm/build.mjs";

/** Compiles the wasm kernels, which sources import from the cache. */
const kernels: Plugin = {
  name: "turnbook-kernels",
  config: async () => void (await buildKernels()),
};

export default defineConfig({
  // Relative URLs, so that the built site works from any sub-path.
  base: "./",
  define: courseDefine(import.meta.dirname),
  plugins: [
    react(),
    kernels,
    chunksPlugin(),
    framePlugin(import.meta.dirname),
    pageFilesPlugin(import.meta.dirname),
    fonts,
    policy,
    offlinePlugin(import.meta.dirname),
  ],
  worker: { format: "es" },
  // The worker's dependencies are found at the start, not at the first press of Run.
  optimizeDeps: {
    entries: ["index.html", "src/runtime/worker.ts", "src/runtime/sandbox/sandboxWorker.ts"],
  },
  // tfjs-wasm's binaries are larger than the inline limit anyway; never inline assets as data URLs.
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 },
});
