/** UI texts of importing. */
import { formatTitles } from "../interchange/import/formatTitles.ts";
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
} as const;
