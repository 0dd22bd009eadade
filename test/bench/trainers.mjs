// `node test/bench/trainers.mjs [FOLDER]`: what each trainer's files give: rows of the table that can be computed, and the
// doctor's checks, as a Markdown table. FOLDER holds a folder for each writer; without it, those of test/fixtures/trainers.
import { join } from "node:path";
import { withBundle } from "./bundle.mjs";

const zip = join(import.meta.dirname, "../fixtures/trainers/runs.zip");
await withBundle("trainers", ({ main }) => main(zip, process.argv[2]));
