/** A session's messages about its worker, in sentences. */
import type { EngineChange } from "./recovery.ts";

/** A failure's message without its advice, which is being followed, and without the browser's own words in brackets. */
function causeOf(message: string): string {
  const cause = message
    .replace(/\s*\([^()]*\)/g, "")
    .split(";")[0]!
    .trim();
  return /[.!?]$/.test(cause) ? cause : `${cause}.`;
}

function placeOf(iteration: number): string {
  return iteration === 0 ? "before iteration 1" : `after iteration ${iteration}`;
}

/** If a card is gone, the cause says so already. */
const CHANGES: Record<NonNullable<EngineChange>, string> = {
  failedTwice: ", because WebGPU failed twice",
  cardGone: "",
};

export const sessionWords = {
  /** `iteration`: the newest checkpoint's; null without one. `changed`: why it now runs on WebAssembly. */
  recovering: (message: string, iteration: number | null, changed: EngineChange) => {
    const from =
      iteration === null ? "restarts from the beginning" : `continues ${placeOf(iteration)}`;
    const where = changed === null ? "" : ` on WebAssembly${CHANGES[changed]}`;
    return `${causeOf(message)} The run ${from}${where}.`;
  },
  ended: "You ended the training worker.",
  gaveUp: (iteration: number | null) =>
    iteration === null
      ? "Press Run to start again, or choose another backend."
      : `Save the run, or press Continue this run to try again ${placeOf(iteration)}.`,
  unprotected: (bytes: number, most: number) =>
    `A checkpoint of this run takes ${megabytes(bytes)}; the page keeps at most ${megabytes(most)}. ` +
    "If the training worker fails, the run is lost.",
  codeRefused: "Its code comes from elsewhere, and you did not let it run.",
  codeAgain: "Press Run to see the code again, or choose settings that do not use it.",
  codeWaits: "This run's code comes from elsewhere. Review it first, at the top of the experiment.",
  folderWaits: (name: string, hash: string) =>
    `Choose the model folder ${name} first (hash ${hash}): this run's models are adapters on it.`,
  unanswered: "The training worker stopped before it answered. Ask again.",
} as const;

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
