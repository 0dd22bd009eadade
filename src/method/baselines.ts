/** The table of baselines (axis B): what a return is compared with, and what that needs. Plain data. */
export interface BaselineFacts {
  /** What it means. */
  about: string;
  /** Which part of a list of algorithms its rows stand in. */
  family: "plain" | "group" | "token-critic" | "turn-critic" | "turns-in-group";
  /** Whether it compares the rollouts of one task, so that a task needs several. */
  grouped: boolean;
  /** Whether what is compared with it can be divided by a standard deviation of the group. */
  divided: boolean;
  /** What a critic gives a value to; null without one. */
  critic: "token" | "turn" | null;
  /** Columns of a batch that it needs besides rewards and values. */
  columns: readonly "greedyScore"[];
}

/** Neither group nor critic. */
const plain = {
  family: "plain",
  grouped: false,
  divided: false,
  critic: null,
  columns: [],
} as const;
const group = { ...plain, family: "group", grouped: true } as const;
const turnsInGroup = { ...group, family: "turns-in-group", divided: true } as const;

export const baselines = {
  none: { ...plain, about: "nothing" },
  "group-mean": { ...group, divided: true, about: "the mean score of the task's group" },
  "leave-one-out": { ...group, about: "the mean score of the other rollouts of the task" },
  "length-weighted-mean": {
    ...group,
    about: "the mean score of the group weighted by token counts",
  },
  greedy: {
    ...plain,
    about: "the score of a greedy rollout of the task",
    columns: ["greedyScore"],
  },
  "batch-mean": { ...plain, about: "the mean return of all turns of the batch" },
  "group-and-anchor": {
    ...turnsInGroup,
    about: "the group's mean score, and the mean return of equal states in the group",
  },
  "turn-group": { ...turnsInGroup, about: "the mean of the group's turns of the same number" },
  "token-critic": {
    ...plain,
    family: "token-critic",
    critic: "token",
    about: "V of the prefix before each token",
  },
  "turn-critic": { ...plain, family: "turn-critic", critic: "turn", about: "V of each turn" },
} as const satisfies Record<string, BaselineFacts>;

export type Baseline = keyof typeof baselines;

/** The facts of one, as any of them has them. */
export function baselineFacts(baseline: Baseline): BaselineFacts {
  return baselines[baseline];
}
