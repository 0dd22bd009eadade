// `node test/tried.mjs [LESSON ...]`: trains again what lessons and their teacher's notes say of their live experiments, "when we
// tried it", on the wasm engine, and writes test/tried/tried.json. test/notebook/lessons/tried.test.ts holds the words to it.
import { runBundled } from "./bundled.mjs";

await runBundled("tried");
