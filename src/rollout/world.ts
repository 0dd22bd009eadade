/** What a rollout needs to know of a task family: its environments, and how their turns become tokens. */
import type { Environment } from "../env/environment.ts";
import type { Sliced } from "../numeric/sliced.ts";
import type { PromptAdapter } from "../text/promptAdapter.ts";

/** What a turn's result must hold besides the five-part result, whatever the environment. */
export interface TurnInfo {
  /** Names of the executed actions. */
  actions?: readonly string[];
  /** Part of the reward that punishes bad form (0 or negative). */
  formatPenalty?: number;
  success?: boolean;
  /** Whether the response was an action that could be taken. Absent: unless it was punished for bad form. */
  valid?: boolean;
  /** Whether it was in good form, whatever bad form costs: the word of environments that say nothing as `valid`. */
  wellFormed?: boolean;
  /** What happened in the turn, by metric name: the share of episodes in which it ever did is recorded. */
  marks?: Readonly<Record<string, boolean>>;
}

/** A family of tasks that a policy plays. `Info` is what its environments report and its prompts need. */
export interface World<Info extends TurnInfo = TurnInfo> {
  /** An environment that can play the task of this seed. */
  create(seed: number): Environment<Info>;
  /** Makes the task of this seed in slices, so that `create` has it at once. Absent: tasks take no time. */
  making?(seed: number): Sliced<unknown>;
  prompter: PromptAdapter<Info>;
  maxTurns: number;
  /** Whether its environments leave something to chance: then every turn is given a number to draw from. */
  chancy?: boolean;
  /** Whether turns are valid by their form; absent, before revision 2: where bad form costs nothing, all are. */
  judgesForm?: boolean;
  /** What can be said in a state, where that is a short list. */
  actions?(environment: Environment): readonly string[];
  /** V*: what the best player would still earn from a state, with this discount from turn to turn. */
  best?(environment: Environment, gamma: number): number;
  /** Q*: what a response earns on average, with the best player after it; where something is left to chance. */
  bestAfter?(environment: Environment, text: string, gamma: number): number;
  /** No query is longer, in tokens. Absent: half as long again as the first ones. */
  maxQueryTokens?: number;
}
