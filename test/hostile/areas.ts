/** Every area, in the order in which they run: each in a file of its own under areas/. */
import type { Area } from "./area.ts";
import { imports } from "./imports.ts";
import { links } from "./links.ts";
import { workers } from "./workers.ts";

export const areas: readonly Area[] = [links, imports, workers];
