/** Words around questions to a run's models. */
import { formatDuration } from "../../../charts/format.ts";
import { counted, plural } from "../../../numeric/counted.ts";

export const words = {
  recordedOnly:
    "A log keeps what was said and earned, not the weights of the models: they cannot be asked any more. Train a run here (Run, then Pause) to ask its models; or load the models as they are before any training.",
  none: "There is no live model to ask yet. Press Run, then Pause; or load the models as they are before any training.",
  load: "Load the first policy",
  loadHint:
    "Loads the models of this experiment (the warm start, before any update) and waits; nothing is trained.",
  loading: "The models are being loaded …",
  failed:
    "The run has failed, and its models are gone. Press Reset and Run, or load the first policy.",
  policy: (trained: number) =>
    trained === 0
      ? "the first policy: the warm start, before any training"
      : `the policy as it is after ${counted(trained, "iteration")}`,
  /** Of a recorded run: which of its checkpoints answers about an iteration. */
  checkpoint: (trained: number, iteration: number) => {
    const who =
      trained === 0
        ? "The first policy of the recorded run answers: the warm start, before any training."
        : `The checkpoint of iteration ${trained} of the recorded run answers.`;
    if (trained === iteration - 1) return `${who} It played iteration ${iteration}.`;
    return `${who} No checkpoint is kept of the policy that played iteration ${iteration}.`;
  },
  waiting: "Waiting for the models …",
  /** Of the work; continuations are of one length or another. */
  asking: (done: number, total: number, secondsLeft: number | null) => {
    if (total === 0) return words.waiting;
    const left = secondsLeft === null ? "" : `, about ${formatDuration(secondsLeft)} left`;
    return `${Math.floor((100 * done) / total)} % of ${total} continuations played${left} …`;
  },
  same: "It is the policy that played the episode.",
  cancel: "Cancel",
  truth: "Find the truth",
  truthHint:
    "Plays on many times from every turn of this episode, with the live policy: what each state is really worth on average. The ribbon, the credits and the critic then show it beside the estimates.",
  truthNeedsModel:
    "To find the truth the live models are asked: press Run, then Pause, or load the first policy.",
  found: (branches: number, policy: string, discount: string) =>
    `Truth found: ${branches} continuations from each turn, by ${policy}; ${discount}.`,
  /** turns: those before which it was, ascending. */
  changedBoard: (turns: readonly number[]) => {
    const [said, last] = [turns.map((h) => h + 1).join(" and "), turns.at(-1)! + 1];
    return `Before ${plural(turns.length, "turn")} ${said} the board was changed by hand. The truth counts the board that the response before it led to, what algorithms credit counts the changed one: compare them from turn ${last} on.`;
  },
  discount: (gamma: string, steps: string) => `discount γ = ${gamma} per ${steps}`,
  later:
    "The models have learned since this episode was played: the truth is that of the policy as it is now.",
  earlier:
    "This episode was played by a policy that had learned more than the live one has: the truth is that of the live one.",
} as const;
