#!/usr/bin/env node
// The package's command: the equivalent of `npm run turnbook` in a checkout, bundled before
// packing.
import { main } from "./main.mjs";

process.stdout.on("error", (error) => {
  // A reader that stops early, as in `| head`, ends the command.
  if (error.code === "EPIPE") process.exit(0);
  console.error(`cannot write the output: ${error.message}`);
  process.exit(1);
});
process.stderr.on("error", () => {}); // progress is lost; the result still counts
process.exitCode = await main(process.argv.slice(2));
