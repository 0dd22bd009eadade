/** The panels of the lens, in order. */
import { story } from "../figures/story/manifest.ts";
import { curves } from "./curves/manifest.ts";
import { ribbon } from "../figures/ribbon/manifest.ts";
import { episodes } from "../figures/episodes/manifest.ts";
import { turns } from "../figures/turns/manifest.ts";
import { credits } from "../figures/credits/manifest.ts";
import { formula } from "./formula/manifest.ts";
import { group } from "../figures/group/manifest.ts";
import { tokens } from "../figures/tokens/manifest.ts";
import { clip } from "../figures/clip/manifest.ts";
import { critic } from "../figures/critic/manifest.ts";
import { byTurn } from "../figures/byTurn/manifest.ts";
import { confidence } from "../figures/confidence/manifest.ts";
import { fork } from "./fork/manifest.ts";
import { playground } from "./playground/manifest.ts";
import { doctor } from "../figures/doctor/manifest.ts";
import { speed } from "../figures/speed/manifest.ts";
import { gradient } from "../figures/gradient/manifest.ts";
import { run } from "./run/manifest.ts";

export const manifests = [
  curves,
  ribbon,
  episodes,
  turns,
  credits,
  formula,
  group,
  tokens,
  critic,
  confidence,
  byTurn,
  fork,
  playground,
  doctor,
  clip,
  speed,
  gradient,
  run,
  story,
] as const;

export type PanelId = (typeof manifests)[number]["id"];
