// `npm run build`: the static site, in dist/.
import { ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
const { build } = await import("vite");
await build({ root, configFile: `${root}/vite.config.ts` });
