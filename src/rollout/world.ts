/** What a rollout needs to know about a task family: its environments, and how their turns become tokens. */
import type { Environment } from "../env/environment.ts";
import type { Sliced } from "../numeric/sliced.ts";
import type { PromptAdapter } from "../text/promptAdapter.ts";

/** Required fields of a turn's info, for any environment. */
export interface TurnInfo {
  /** Names of the executed actions. */
  actions?: readonly string[];
  /** Format penalty as part of the reward (0 or negative). */
  formatPenalty?: number;
  success?: boolean;
  /** Whether the response was a possible action. Absent: unless it was penalised for its form. */
  valid?: boolean;
  /** Whether it was well formed, whatever the penalty: for environments that do not report `valid`. */
  wellFormed?: boolean;
  /** Events of the turn, by metric name: the share of episodes with each event is recorded. */
  marks?: Readonly<Record<string, boolean>>;
  /** What is true of the turn, by metric name: the share of turns is recorded. */
  turnMarks?: Readonly<Record<string, boolean>>;
}

/** A family of tasks that a policy plays. `Info` is what its environments report and its prompts need. */
export interface World<Info extends TurnInfo = TurnInfo> {
  /** An environment that can play the task of this seed. */
  create(seed: number): Environment<Info>;
  /** Generates the task of this seed in slices, so that `create` has it at once. Absent: tasks take no time. */
  making?(seed: number): Sliced<unknown>;
  prompter: PromptAdapter<Info>;
  maxTurns: number;
  /** Whether its environments are random: then every turn gets a random seed. */
  chancy?: boolean;
  /** Whether turns are valid by their form; absent, before revision 2: if malformed turns cost nothing, all are valid. */
  judgesForm?: boolean;
  /** Possible actions in a state, if that is a short list. */
  actions?(environment: Environment): readonly string[];
  /** V*: what the best player would still earn from a state, with this discount per turn. */
  best?(environment: Environment, gamma: number): number;
  /** Q*: the expected return of a response, with the best player after it; for random environments. */
  bestAfter?(environment: Environment, text: string, gamma: number): number;
  /** Maximum query length in tokens. Absent: half as long again as the first ones. */
  maxQueryTokens?: number;
  /** The same for queries after the first, which need not repeat the rules. Absent: `maxQueryTokens`. */
  laterQueryTokens?: number;
}
