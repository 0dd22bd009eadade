/** The format of a recording, for people who write one themselves. */

/** The smallest recording with a turn to show; it is displayed as written here. */
const example = {
  type: "iteration",
  algorithm: "mine",
  iteration: 1,
  warmup: false,
  chain: "",
  time: {},
  metrics: { "critic/score/mean": 1 },
  episodes: [
    {
      trajectory: 0,
      task: "prompt 1",
      seed: null,
      reward: 1,
      success: true,
      terminated: true,
      truncated: false,
      finalObservation: "Done.",
      turns: [
        {
          observation: "Go to",
          text: "<answer>Up</answer>",
          actions: ["Up"],
          reward: 1,
          formatPenalty: null,
          value: null,
          advantage: 0.5,
          return: null,
          ratio: null,
          clipped: null,
          tokens: [],
        },
      ],
    },
  ],
};

export const recordingWords = {
  title: "What a recording must contain",
  form: "A text file of JSON lines, one object per line. Unknown numbers and booleans are null. Invalid lines and episodes are skipped, with a message for each.",
  kinds: [
    ["first line", "may be { command }: the command that wrote the file"],
    ["every other line", "type, chain (a text, may be empty), time (an object, may be empty)"],
    [
      "type start",
      "spec (environment.kind, algorithms with a name each, optimisation.iterations) and engine (engine, backend, adapter); optional: without it panels lack the settings",
    ],
    [
      "type iteration",
      "algorithm, iteration (a whole number), warmup, metrics (a number or null by name), episodes",
    ],
    [
      "each episode",
      "trajectory (a whole number), task (equal for rollouts of one group), seed, reward, success, terminated, truncated, finalObservation, turns",
    ],
    [
      "each turn",
      "observation, text, actions (a list of texts, or null), reward, formatPenalty, value, advantage, return, ratio, clipped, tokens (a list, may be empty)",
    ],
    ["each token", "id (a whole number), text, oldLogprob, logprob, entropy, advantage, value"],
    [
      "optional",
      "updates of an iteration, greedyScore of an episode, gain, processReward and critics of a turn, refLogprob, rolloutLogprob, sumPiSquared and clipped of a token",
    ],
  ],
  exampleTitle: "The smallest example, a single line:",
  example: JSON.stringify(example),
} as const;
