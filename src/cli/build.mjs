// `npm run build`: the static site, in dist/; it contains the page a second time, for exported
// notebooks and for frames without an origin.
import { ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
const { build } = await import("vite");
await build({ root, configFile: `${root}/vite.config.ts` });
await build({ root, configFile: `${root}/vite.carried.config.ts`, logLevel: "warn" });
