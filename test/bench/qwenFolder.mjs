// `node test/bench/qwenFolder.mjs --out DIR [--shape qwen2.5-0.5b] [--layers N] [--seed N] [--shards N] [--tokenizer]`: writes a Hugging Face folder in the
// shape of Qwen2.5-0.5B or Qwen3-0.6B (`--shape qwen3-0.6b`; `qwen3-thin`: two layers of width 64), whole or with fewer layers, with the whole vocabulary and made-up weights in BF16; with
// `--tokenizer` also a made-up vocabulary of that size in Qwen's form, with Qwen3's chat template, so that the page opens it.
// `node test/bench/qwenFolder.mjs --measure DIR [--weights stored|int8|float32]`: opens such a folder in the wasm engine and prints memory and seconds.
import { parseArgs } from "node:util";
import { withBundle } from "./bundle.mjs";

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    measure: { type: "string" },
    weights: { type: "string", default: "stored" },
    shape: { type: "string", default: "qwen2.5-0.5b" },
    layers: { type: "string" },
    seed: { type: "string", default: "1" },
    shards: { type: "string", default: "1" },
    tokenizer: { type: "boolean", default: false },
  },
});
const { out, measure, shape } = values;
const [layers, seed, shards] = ["layers", "seed", "shards"].map((key) =>
  values[key] === undefined ? undefined : Number(values[key]),
);

await withBundle("qwenFolder", async ({ writeFolder, writeTokenizer, measureOpening }) => {
  if (out !== undefined) {
    const bytes = writeFolder(out, { shape, layers, seed, shards });
    if (values.tokenizer) writeTokenizer(out);
    console.log(`${out}: ${(bytes / 1e6).toFixed(1)} MB of weights`);
  }
  if (measure !== undefined)
    console.log(
      JSON.stringify(await measureOpening(measure, [1, 2, 3, 4], values.weights), null, 1),
    );
});
