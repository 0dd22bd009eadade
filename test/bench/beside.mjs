// `node test/bench/beside.mjs DIR [--workload NAME[,NAME]] [--repeats N]`: training steps and decoding of our WebGPU engine in Node,
// with the sources of this checkout and of another, by turns, so that other work on the machine falls on both alike; as Markdown.
import { parseArgs } from "node:util";
import { withBundle } from "./bundle.mjs";

const options = { workload: { type: "string" }, repeats: { type: "string" } };
const { positionals, values } = parseArgs({ options, allowPositionals: true });
if (positionals.length !== 1) throw new Error("the other checkout's folder is needed");

await withBundle("beside", ({ compare, timed }) =>
  withBundle("beside", (other) => compare(timed, other.timed, values), positionals[0]),
);
