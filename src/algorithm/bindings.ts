/** Names bound to functions: each estimator of spec/estimators.ts with its lesson. */
import type { Estimator } from "../method/estimators.ts";
import * as a2tgpo from "./a2tgpo.ts";
import type { Lesson } from "./algorithm.ts";
import * as biLevelGae from "./biLevelGae.ts";
import * as gigpo from "./gigpo.ts";
import * as grpo from "./grpo.ts";
import * as mtGrpo from "./mtGrpo.ts";
import * as reinforce from "./reinforce.ts";
import * as reinforcePp from "./reinforcePp.ts";
import * as tokenPpo from "./tokenPpo.ts";
import * as turnPpo from "./turnPpo.ts";
import * as turnPpoSt from "./turnPpoSt.ts";

export const lessons: Readonly<Record<Estimator, Lesson>> = {
  "group-score": grpo,
  "turn-return": reinforce,
  "token-return": reinforcePp,
  "token-gae": tokenPpo,
  "token-gae-turn-mean": turnPpoSt,
  "turn-gae": turnPpo,
  "bi-level-gae": biLevelGae,
  "anchor-state": gigpo,
  "turn-plus-outcome": mtGrpo,
  "turn-group": a2tgpo,
};
