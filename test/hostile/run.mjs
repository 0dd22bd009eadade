// `node test/hostile/run.mjs [AREA]... [--full]`: hostile tests, area by area, with fixed seeds; prints what was tried and
// what survived as a table, and ends with exit code 1 where anything did not. Not part of `npm test`.
import { runBundled } from "../bundled.mjs";

await runBundled("hostile");
