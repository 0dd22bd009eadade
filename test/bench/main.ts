/** `npm run bench`. Progress goes to stderr, the tables to stdout. */
import { writeFileSync } from "node:fs";
import { runCuts } from "./cuts.ts";
import { runInBrowser } from "./inBrowser.ts";
import { runInNode } from "./inNode.ts";
import { runJavaScript } from "./javascript.ts";
import { runKernels } from "./kernels.ts";
import { parseOptions, USAGE, type BenchOptions } from "./options.ts";

/** @returns the exit code: 1 when a contender failed or computed something else, 2 for a wrong option. */
export async function main(args: string[], root: string): Promise<number> {
  const options = tryParse(args);
  if (typeof options === "string") {
    console.error(options);
    return options === USAGE ? 0 : 2;
  }
  const { markdown, data, ok } = await runOf(options)(options, root);
  console.log(markdown);
  if (options.markdown) writeFileSync(options.markdown, markdown);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(data, null, 1)}\n`);
  return ok ? 0 : 1;
}

function runOf({ javascript, cuts, kernels, node }: BenchOptions) {
  if (javascript) return runJavaScript;
  if (cuts) return runCuts;
  if (kernels) return runKernels;
  return node ? runInNode : runInBrowser;
}

function tryParse(args: string[]): BenchOptions | string {
  try {
    const options = parseOptions(args);
    return options === "help" ? USAGE : options;
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`;
  }
}
