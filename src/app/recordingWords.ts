/** What a recording is made of, for those who write one themselves. */

/** The smallest recording with a turn to look at; it is shown as it stands here. */
const example = {
  ...{ type: "iteration", algorithm: "mine", iteration: 1, warmup: false, chain: "", time: {} },
  metrics: { "critic/score/mean": 1 },
  episodes: [
    {
      ...{ trajectory: 0, task: "prompt 1", seed: null, reward: 1, success: true },
      ...{ terminated: true, truncated: false, finalObservation: "Done." },
      turns: [
        {
          ...{ observation: "Where to?", text: "<answer>Up</answer>", actions: ["Up"] },
          ...{ reward: 1, formatPenalty: null, value: null, advantage: 0.5, return: null },
          ...{ ratio: null, clipped: null, tokens: [] },
        },
      ],
    },
  ],
};

export const recordingWords = {
  title: "What a recording must contain",
  form: "A text file of JSON lines: each line is one object, complete in itself. Numbers and yes/no that you do not have are null. Lines and episodes that do not fit are left out, and the page says which and why.",
  kinds: [
    ["first line", "may be { command }: the command that made the file"],
    ["every other line", "type, chain (a text, may be empty), time (an object, may be empty)"],
    [
      "type start",
      "spec (environment.kind, algorithms with a name each, optimisation.iterations) and engine (engine, backend, adapter); may be missing: panels then do not know the settings",
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
      "where there are such",
      "updates of an iteration, greedyScore of an episode, gain, processReward and critics of a turn, refLogprob and clipped of a token",
    ],
  ],
  exampleTitle: "The smallest one, a single line:",
  example: JSON.stringify(example),
} as const;
