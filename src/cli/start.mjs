// `npm start`: installs if needed, then serves the page on a free port and prints the URL.
import { ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
const { createServer } = await import("vite");
const server = await createServer({
  root,
  configFile: `${root}/vite.config.ts`,
  // Without a terminal there is no browser to open either.
  server: { open: Boolean(process.stdout.isTTY) },
});
await server.listen();
server.printUrls();
console.log("  Press Ctrl+C to stop.");
