/** Every area, in the order in which they run: each in a file of its own. */
import type { Area } from "./area.ts";
import { chunks } from "./chunks.ts";
import { commands } from "./commands.ts";
import { devices } from "./devices.ts";
import { flips } from "./flips.ts";
import { folders } from "./folders.ts";
import { imports } from "./imports.ts";
import { kills } from "./kills.ts";
import { links } from "./links.ts";
import { notebooks } from "./notebooks.ts";
import { pageKills } from "./pageKills.ts";
import { pairs } from "./pairs.ts";
import { size } from "./size.ts";
import { workers } from "./workers.ts";

export const areas: readonly Area[] = [
  links,
  notebooks,
  imports,
  commands,
  workers,
  devices,
  chunks,
  folders,
  kills,
  pageKills,
  flips,
  pairs,
  size,
];
