// Commands of the tests that are written in TypeScript: bundled beside the packages that they use, run, and taken away again.
// They end when `main` has: a browser that they share would keep the process for ever.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { courseDefine } from "../src/app/build/course.mjs";
import { ensureInstalled, root } from "../src/cli/setup.mjs";
import { buildKernels, buildNodeWorker } from "../src/engine/wasm/build.mjs";

/** Each file of the tests finds what lies beside it, although one bundle holds them all. */
const ownFolders = {
  name: "own-folders",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]test[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        "import.meta.dirname",
        JSON.stringify(dirname(path)),
      ),
      loader: "ts",
    }));
  },
};

/**
 * Runs `main(arguments)` of test/FOLDER/main.ts; the exit code is what it resolves with.
 * @param {string} folder
 */
export async function runBundled(folder) {
  ensureInstalled();
  await buildKernels();
  await buildNodeWorker();
  const { build } = await import("esbuild");
  // Inside node_modules, so that packages are found.
  const cache = join(root, "node_modules", ".cache", `turnbook-${folder}`);
  const outfile = join(cache, `main-${process.pid}.mjs`);
  mkdirSync(cache, { recursive: true });
  await build({
    entryPoints: [join(root, "test", folder, "main.ts")],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    define: {
      __TURNBOOK_ROOT__: JSON.stringify(root),
      ...courseDefine(root),
    },
    plugins: [ownFolders],
    logLevel: "error",
  });
  let code = 1;
  try {
    const { main } = await import(pathToFileURL(outfile).href);
    code = await main(process.argv.slice(2));
  } catch (error) {
    console.error(error);
  } finally {
    rmSync(outfile, { force: true });
  }
  process.exit(code);
}
