/** Blue and red mean sign only: no other style may use their tokens. */
import { readFileSync } from "node:fs";
import { globSync } from "node:fs";
import { expect, it } from "vitest";

/** What shows a sign, by its file: credit, TD error, advantage, agreement with the truth. */
const OF_SIGNS = [
  "src/app/styles/algorithms.css",
  "src/app/styles/theme.css",
  "src/panels/credits/credits.css",
  "src/panels/fork/fork.css",
  "src/panels/formula/formula.css",
  "src/panels/opening/opening.css",
  "src/panels/ribbon/ribbon.css",
  "src/panels/shared/signedNumber.css",
  "src/panels/tokens/tokens.css",
];
