/** Names bound to functions: a row of spec/algorithms.ts with its implementation. */
import type { Algorithm } from "./algorithm.ts";
import * as a2tgpo from "./a2tgpo.ts";
import * as biLevelGae from "./biLevelGae.ts";
import * as cispo from "./cispo.ts";
import * as dapo from "./dapo.ts";
import * as drGrpo from "./drGrpo.ts";
import * as gigpo from "./gigpo.ts";
import * as gmpo from "./gmpo.ts";
import * as grpo from "./grpo.ts";
import * as gspo from "./gspo.ts";
import * as mtGrpo from "./mtGrpo.ts";
import * as opo from "./opo.ts";
import * as rebn from "./rebn.ts";
import * as reinforce from "./reinforce.ts";
import * as reinforcePp from "./reinforcePp.ts";
import * as reinforcePpBaseline from "./reinforcePpBaseline.ts";
import * as remax from "./remax.ts";
import * as rloo from "./rloo.ts";
import * as sPpo from "./sPpo.ts";
import * as stPpo from "./stPpo.ts";
import * as starpo from "./starpo.ts";
import * as starpoS from "./starpoS.ts";
import * as tokenPpo from "./tokenPpo.ts";
import * as turnPpo from "./turnPpo.ts";
import * as turnPpoGem from "./turnPpoGem.ts";
import * as turnPpoSt from "./turnPpoSt.ts";
import * as turnPpoVagen from "./turnPpoVagen.ts";

const algorithms: Record<string, Algorithm> = {
  reinforce,
  rebn,
  "reinforce-pp": reinforcePp,
  "reinforce-pp-baseline": reinforcePpBaseline,
  remax,
  rloo,
  opo,
  grpo,
  "dr-grpo": drGrpo,
  dapo,
  gspo,
  gmpo,
  cispo,
  "token-ppo": tokenPpo,
  starpo,
  "starpo-s": starpoS,
  "s-ppo": sPpo,
  "turn-ppo-st": turnPpoSt,
  "st-ppo": stPpo,
  "bi-level-gae": biLevelGae,
  "turn-ppo-vagen": turnPpoVagen,
  "turn-ppo-gem": turnPpoGem,
  "turn-ppo": turnPpo,
  gigpo,
  "mt-grpo": mtGrpo,
  a2tgpo,
};

/** The functions of a named algorithm; a name from spec/algorithms.ts always has them. */
export function algorithmOf(name: string): Algorithm {
  return algorithms[name]!;
}
