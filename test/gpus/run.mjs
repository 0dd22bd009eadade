// `npm run test:gpus [-- ADAPTER ...]`: every kernel, the self-check, the goldens and a short training on every adapter that can be
// had here; prints a table, and ends with exit code 1 where anything fails. `npm run test:gpus -- mutation` studies what the
// checks notice. Not part of `npm test`.
import { runBundled } from "../bundled.mjs";

await runBundled("gpus");
