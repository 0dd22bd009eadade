/** Names bound to functions: a row of spec/algorithms.ts with its implementation. */
import type { Algorithm } from "./algorithm.ts";
import * as grpo from "./grpo.ts";
import * as tokenPpo from "./tokenPpo.ts";
import * as turnPpo from "./turnPpo.ts";

const algorithms: Record<string, Algorithm> = {
  grpo,
  "token-ppo": tokenPpo,
  "turn-ppo": turnPpo,
};

/** The functions of a named algorithm; a name from spec/algorithms.ts always has them. */
export function algorithmOf(name: string): Algorithm {
  return algorithms[name]!;
}
