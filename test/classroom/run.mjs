// `npm run test:class`: a class of thirty in Chromium, each in a browser profile of its own; six cheat, and the teacher's page
// finds them. Prints a table, and ends with exit code 1 where anything came out otherwise. Not part of `npm test`.
import { runBundled } from "../bundled.mjs";

await runBundled("classroom");
