/** The table of clip rules (axis F). */
import { adaptive } from "./adaptive.ts";
import type { ClipRule } from "./clipRule.ts";
import { covDrop, covPull } from "./covariance.ts";
import { divergenceKl, divergenceTv } from "./divergence.ts";
import { logGeomean } from "./logGeomean.ts";
import { range } from "./range.ts";
import { softGate } from "./softGate.ts";
import { constantWeight } from "./weight.ts";

export const clips = {
  range,
  adaptive,
  weight: constantWeight,
  "log-geomean": logGeomean,
  "soft-gate": softGate,
  "divergence-tv": divergenceTv,
  "divergence-kl": divergenceKl,
  "cov-drop": covDrop,
  "cov-pull": covPull,
} as const satisfies Record<string, ClipRule>;

export type ClipName = keyof typeof clips;
