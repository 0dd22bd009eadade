// `node test/bench/qwenEncodings.mjs DIR`: whether a Qwen2.5 or Qwen3 folder's tokenizer.json, as Turnbook reads it, gives the ids and texts of
// test/golden/tokenizer/qwen_real_vocab_encodings.json, and its chat template the golden ids. The files are not ours to ship (7 MB).
import { withBundle } from "./bundle.mjs";

await withBundle("qwenEncodings", ({ main }) => main(process.argv[2]));
