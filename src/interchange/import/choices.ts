/** What a reader may say of files that do not say it. Plain data: the page has it without the readers. */

/** What a row may say, and the names of columns that say it, the first present one counting. */
export const ROW_NAMES = {
  messages: ["messages", "conversation", "conversations", "chat"],
  prompt: ["prompt", "input", "question", "query", "input_prompt", "instruction"],
  completion: ["completion", "response", "output", "output_response", "model_response", "answer"],
  reward: ["reward", "score", "total_reward", "return"],
  rewards: ["rewards", "turn_rewards", "step_rewards"],
  group: ["group_id", "group", "uid", "example_id", "prompt_id", "problem_id", "task_id", "task"],
  id: ["id", "rollout_id", "trajectory_id", "request_id", "sample_id"],
  step: ["step", "global_step", "global_steps", "training_step", "train_step", "iteration"],
  success: ["success", "correct", "is_correct", "acc"],
  advantage: ["advantage", "advantages"],
} as const;

export type RowField = keyof typeof ROW_NAMES;

export const rowFields = Object.keys(ROW_NAMES) as RowField[];

export function isRowField(name: string): name is RowField {
  return Object.hasOwn(ROW_NAMES, name);
}

/** Columns by what they say, in place of the usual names. */
export type RowMap = Partial<Record<RowField, string>>;

/** A column's name as the usual ones are written: of `groupId` and `Group ID` it is `group_id`. */
export function plainName(column: string): string {
  const apart = column.replace(/([a-z])([A-Z])/g, "$1_$2").replace(/[\s-]+/g, "_");
  return apart.toLowerCase();
}

/** The columns that have a usual name, in whatever letters. */
export function usualMap(columns: readonly string[]): RowMap {
  const found = rowFields.flatMap((field) => {
    const names: readonly string[] = ROW_NAMES[field];
    const column = columns.find((one) => names.includes(plainName(one)));
    return column === undefined ? [] : [[field, column]];
  });
  return Object.fromEntries(found) as RowMap;
}

/** A method of the table, and its settings under the names used there. */
export interface TrainedWith {
  method: string;
  set: Readonly<Record<string, number>>;
}

export interface ImportChoices {
  /** Whether a reward is paid at the last turn where those of turns are unknown. */
  paidLast?: boolean;
  /** What the only run that trained was trained with. */
  trained?: TrainedWith | null;
  map?: RowMap;
}

/** What the files leave open. */
export interface LeftOpen {
  /** Whether rewards of turns are unknown where those of their episodes are known. */
  paidLast: boolean;
  /** Settings as far as the files say; null if they say all, or have several runs. */
  trained: { method: string | null; set: TrainedWith["set"] } | null;
}
