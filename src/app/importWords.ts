/** UI texts of importing. */
import { formatTitles } from "../interchange/import/formatTitles.ts";
import type { RowField } from "../interchange/import/choices.ts";
import { counted } from "../numeric/counted.ts";

const formats = `${formatTitles.slice(0, -1).join(", ")} or ${formatTitles.at(-1)!}`;

export const words = {
  open: "Open a run file …",
  openFolder: "Open a folder …",
  hint: `Recordings of Turnbook, or rollout files of ${formats}. Nothing leaves this computer. You can also drop files and folders anywhere on the page.`,
  choose: "Run file",
  chooseFolder: "Run folder",
  drop: "Drop to open",
  reading: (name: string) => `Reading ${name} …`,
  readSoFar: (share: number) =>
    `${Math.floor(100 * share)} % of it is read; more steps appear as reading goes on.`,
  elsewhere: (iteration: number) => `Go to its most telling turn, in iteration ${iteration}`,
  cancel: "Cancel",
  refused: (name: string) => `${name} cannot be shown`,
  unchanged: "The previous run is still shown.",
  whatToDo: "What to do:",
  dismiss: "Dismiss",
  asking: (name: string) => `${name} is ready. Showing it discards the live run in the panels.`,
  replace: "Discard the run and show the file",
  keep: "Keep the run",
  shown: (name: string, title: string) => `Showing ${name}, written by ${title}.`,
  lens: "Show its episodes in the lens",
  made: "Command:",
  absent: "Missing from the files, so not shown:",
  gaps: "Gaps and problems in the files:",
  notes: "How to read it",
  checking: "Checking its episodes and its chain …",
  notKept: (name: string) => `${name} is not kept for comparison.`,
  notKeptLater: "This file will not be kept for comparison when a run starts.",
  full: (most: number) =>
    `At most ${most} runs can be kept. Drop one in the table of runs (panel Curves).`,
  several: (kept: readonly string[]) =>
    `${counted(kept.length, "recording is", "recordings are")} kept for comparison (panel Curves): ${kept.join(", ")}.`,
  leftOut: (name: string, why: string) => `${name} was skipped. ${why}`,
  noLink: "Links do not include the file: they open the page's own run.",
  keepFile: "Keep for comparison",
  close: "Close the file",
  paidLast: "The score is paid at the last turn",
  trained: {
    title: "Settings of training",
    why: "The files lack some. Panels use what you enter; otherwise they show usual values, marked.",
    method: "Trained with",
    unknown: "not known",
    use: "Use these settings",
    forget: "Forget them",
    noNumber: (name: string, text: string) =>
      text === ""
        ? `${name} is missing: enter a number.`
        : `${name} is “${text}”; it must be a number.`,
  },
  columns: {
    title: "Say what its columns are",
    why: "Each row is one rollout. Choose its columns; files with the same columns keep the choice.",
    none: "no column",
    read: "Read with these columns",
    noText: "Choose the column of messages, or those of prompt and response.",
    noReward: "Choose the column of rewards: messages without a reward cannot be credited.",
    fields: {
      messages: ["Messages", "The whole conversation: a list of messages, each with a role."],
      prompt: ["Prompt", "What was asked: a text or messages."],
      completion: ["Response", "What was written after it."],
      reward: ["Reward", "Of the whole rollout."],
      rewards: ["Rewards of turns", "A list, one number a turn."],
      group: ["Group", "Rollouts of one task share it; without it, those of one prompt."],
      id: ["Id", "Of the rollout."],
      step: ["Training step", "Without it, a file is one iteration."],
      success: ["Success", "True or false."],
      advantage: ["Advantage", "As it was trained with."],
    } satisfies Record<RowField, [string, string]>,
  },
} as const;
