/** What a rollout needs to know of a task family: its environments, and how their turns become tokens. */
import type { Environment } from "../env/environment.ts";
import type { PromptAdapter } from "../text/promptAdapter.ts";

/** What a turn's result must tell besides the five-part result, whatever the environment. */
export interface TurnInfo {
  /** Names of the executed actions. */
  actions?: readonly string[];
  /** Part of the reward that punishes bad form (0 or negative). */
  formatPenalty?: number;
  success?: boolean;
}

/** A family of tasks that a policy plays. `Info` is what its environments tell and its prompts need. */
export interface World<Info extends TurnInfo = TurnInfo> {
  /** An environment that can play the task of this seed. */
  create(seed: number): Environment<Info>;
  prompter: PromptAdapter<Info>;
  maxTurns: number;
}
