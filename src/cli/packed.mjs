#!/usr/bin/env node
// The package's command: what `npm run turnbook` runs in a checkout, bundled before it was packed.
import { main } from "./main.mjs";

process.stdout.on("error", (error) => {
  // A reader that has seen enough, as in `| head`, ends the command.
  if (error.code === "EPIPE") process.exit(0);
  console.error(`cannot write the output: ${error.message}`);
  process.exit(1);
});
process.stderr.on("error", () => {}); // nobody reads the progress; the result still counts
process.exitCode = await main(process.argv.slice(2));
