// `node test/bench/webshop.mjs`: page clicks and searches per second of the shop, in lockstep.
import { withBundle } from "./bundle.mjs";

await withBundle("webshop", ({ main }) => main());
