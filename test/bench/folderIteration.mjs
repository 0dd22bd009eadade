// `node test/bench/folderIteration.mjs [DIR] [--shape qwen2.5-0.5b] [--backend webgpu|wasm] [--tasks 8] [--group 4] [--turns 5] [--turn-tokens 64] [--plan]`: one iteration
// of Turn-PPO with adapters of rank 8 on a model folder; without DIR one is made for it in that shape with made-up weights
// (`qwenFolder.mjs`). On a machine with a graphics card it needs Node and `npm ci` alone. Prints one JSON object;
// with `--plan` memory and work by count alone.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withBundle } from "./bundle.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    shape: { type: "string", default: "qwen2.5-0.5b" },
    backend: { type: "string", default: "webgpu" },
    tasks: { type: "string", default: "8" },
    group: { type: "string", default: "4" },
    turns: { type: "string", default: "5" },
    "turn-tokens": { type: "string", default: "64" },
    plan: { type: "boolean", default: false },
  },
});
const { shape, backend } = values;
const [tasks, group, turns, turnTokens] = ["tasks", "group", "turns", "turn-tokens"].map((key) =>
  Number(values[key]),
);

const made = positionals.length > 0 ? null : mkdtempSync(join(tmpdir(), "turnbook-folder-"));
const folder = positionals[0] ?? made;
try {
  if (made !== null)
    await withBundle("qwenFolder", ({ writeFolder, writeTokenizer }) => {
      writeFolder(made, { shape, seed: 1, shards: 1 });
      writeTokenizer(made);
    });
  const options = { backend, tasks, group, turns, turnTokens };
  const measured = await withBundle("folderIteration", ({ planIteration, measureIteration }) =>
    (values.plan ? planIteration : measureIteration)(folder, options),
  );
  console.log(JSON.stringify(measured, null, 1));
} finally {
  if (made !== null) rmSync(made, { recursive: true });
}
process.exit(); // Dawn keeps the process awake
