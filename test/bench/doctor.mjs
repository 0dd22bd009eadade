// `node test/bench/doctor.mjs [--seeds N] [--workers N] [--only NAME]... [--logs DIR]`: the collapse doctor on every planted
// collapse of the gallery and on healthy seeds, as Markdown tables. NAME: a preset, not-finite, or healthy; DIR keeps the logs.
import { withBundle } from "./bundle.mjs";

await withBundle("doctor", ({ main }) => main(process.argv.slice(2)));
