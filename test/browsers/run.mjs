// `npm run test:browsers [-- BROWSER ...]`: one built page in Chromium, Firefox and WebKit; prints what works where as a table,
// and ends with exit code 1 where anything does not. Not part of `npm test`.
import { runBundled } from "../bundled.mjs";

await runBundled("browsers");
