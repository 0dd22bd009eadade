/** The table of estimators (axis C); rows of the table of algorithms choose one each. */
import { a2tgpo } from "./estimator/a2tgpo.ts";
import { biLevelGae } from "./estimator/biLevelGae.ts";
import { gagpo } from "./estimator/gagpo.ts";
import { gdpo } from "./estimator/gdpo.ts";
import { gigpo } from "./estimator/gigpo.ts";
import { grpo } from "./estimator/grpo.ts";
import { hgpo } from "./estimator/hgpo.ts";
import { mtGrpo } from "./estimator/mtGrpo.ts";
import { passAtK } from "./estimator/passAtK.ts";
import { reinforce } from "./estimator/reinforce.ts";
import { reinforcePp } from "./estimator/reinforcePp.ts";
import { salt } from "./estimator/salt.ts";
import { tokenPpo } from "./estimator/tokenPpo.ts";
import { turnPpo } from "./estimator/turnPpo.ts";
import { turnPpoSt } from "./estimator/turnPpoSt.ts";
import type { EstimatorFacts } from "./estimator/estimator.ts";

export const estimators = {
  "group-score": grpo,
  "group-score-parts": gdpo,
  "group-success": passAtK,
  "turn-return": reinforce,
  "token-return": reinforcePp,
  "token-gae": tokenPpo,
  "token-gae-turn-mean": turnPpoSt,
  "turn-gae": turnPpo,
  "bi-level-gae": biLevelGae,
  "anchor-state": gigpo,
  "anchor-history": hgpo,
  "anchor-gae": gagpo,
  "edge-mean": salt,
  "turn-plus-outcome": mtGrpo,
  "turn-group": a2tgpo,
} as const satisfies Record<string, EstimatorFacts>;

export type Estimator = keyof typeof estimators;

/** The estimator of plain returns of turns, the default for others. */
export const TURN_RETURNS = "turn-return" satisfies Estimator;

/** The facts of one estimator, with optional fields. */
export function estimatorFacts(estimator: Estimator): EstimatorFacts {
  return estimators[estimator];
}
