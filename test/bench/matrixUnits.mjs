// `node test/bench/matrixUnits.mjs`: a spike. Compiles products for a card's matrix units through Dawn's null backend, and says as a
// Markdown table which share of a step's products could use them. Needs no card, and runs no kernel.
import { withBundle } from "./bundle.mjs";

await withBundle("matrixUnits", async ({ main }) => console.log(await main()));
process.exit(); // Dawn's null backend keeps the process awake
