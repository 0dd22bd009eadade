// `node test/bench/oracle.mjs --run DIR [--run DIR ...] [--iterations 3,26] [--branches K] [--tasks N] [--group G] [--set K=V] [--against ROW]
// [--out DIR]`: every algorithm's advantages against the truth on the same groups, with the critics of kept runs, as a Markdown table.
import { withBundle } from "./bundle.mjs";

await withBundle("oracle", ({ main }) => main(process.argv.slice(2)));
