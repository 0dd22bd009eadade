/** UI texts around questions to a run's models. */
import { formatDuration } from "../../../numeric/format.ts";
import { plural } from "../../../numeric/counted.ts";
import { ofPolicy } from "../../../figures/truthWords.ts";

export const words = {
  recordedOnly:
    "A log has no model weights, so its models cannot answer. Press Run, then Pause, to ask a live run's models, or load the initial models.",
  none: "No live model yet. Press Run, then Pause, or load the initial models.",
  load: "Load the initial policy",
  loadHint: "Loads this experiment's models before any update; nothing is trained.",
  loading: "Loading the models …",
  failed:
    "The run failed and its models are lost. Press Reset and Run, or load the initial policy.",
  /** For a recorded run: which of its checkpoints answers about an iteration. */
  checkpoint: (trained: number, iteration: number) => {
    const who =
      trained === 0
        ? "Answers come from the recorded run's initial policy, before any training."
        : `Answers come from the recorded run's checkpoint of iteration ${trained}.`;
    if (trained === iteration - 1) return `${who} It played iteration ${iteration}.`;
    return `${who} The policy that played iteration ${iteration} has no checkpoint.`;
  },
  waiting: "Waiting for the models …",
  /** Of the work; continuations have different lengths. */
  asking: (done: number, total: number, secondsLeft: number | null) => {
    if (total === 0) return words.waiting;
    const left = secondsLeft === null ? "" : `, about ${formatDuration(secondsLeft)} left`;
    return `${Math.floor((100 * done) / total)} % of ${total} continuations played${left} …`;
  },
  /** If there is no space for more. */
  askingBrief: (done: number, total: number) =>
    total === 0 ? "…" : `${Math.floor((100 * done) / total)} %`,
  same: "This policy played the episode.",
  cancel: "Cancel",
  truth: "Estimate true values",
  truthKnown: "True values known",
  /** If it was not the episode's own policy. */
  truthBy: (trained: number) =>
    trained === 0 ? "True values: initial policy" : `True values: after iteration ${trained}`,
  /** After a row's name. */
  by: ofPolicy,
  truthHint:
    "The live policy plays many continuations from every turn of this episode, to estimate each state's true value. Ribbon, Credits and Critic then show it.",
  truthNeedsModel:
    "True values need live models: press Run, then Pause, or load the initial policy.",
  found: (branches: number, policy: string, discount: string) =>
    `True values estimated: ${branches} continuations from each turn, by ${policy}; ${discount}.`,
  /** turns: those before which it was changed, ascending. */
  changedBoard: (turns: readonly number[]) => {
    const [said, last] = [turns.map((h) => h + 1).join(" and "), turns.at(-1)! + 1];
    return `Before ${plural(turns.length, "turn")} ${said} you changed the board. True values use the board before your change, credits the changed one: compare them from turn ${last} on.`;
  },
  later:
    "The models have learned since this episode was played: true values are for the current policy.",
  earlier:
    "A later policy than the live one played this episode: true values are for the live one.",
} as const;
