/** Words around importing. */
import { counted } from "../numeric/counted.ts";
export const words = {
  open: "Open a file of a run …",
  openFolder: "Open a folder …",
  hint: "Recordings of Turnbook, or rollout files of verl, prime-rl, RAGEN or UNIPO. Nothing leaves this computer. Files and folders can also be dropped anywhere on the page.",
  choose: "File of a run",
  chooseFolder: "Folder of a run",
  drop: "Drop to show it in the panels",
  reading: (name: string) => `Reading ${name} …`,
  cancel: "Cancel",
  refused: (name: string) => `${name} cannot be shown`,
  unchanged: "What was shown before is still there.",
  whatToDo: "What to do:",
  dismiss: "Dismiss",
  asking: (name: string) =>
    `${name} has been read. The panels show a live run now; to show the file instead, that run is dropped.`,
  replace: "Drop the run and show the file",
  keep: "Keep the run",
  shown: (name: string, title: string) => `The panels show ${name}, written by ${title}.`,
  made: "It was made with",
  absent: "What the files do not have, and panels therefore cannot show:",
  notes: "How to read it",
  checking: "Checking its episodes and its chain …",
  notKept: (name: string) => `${name} is not among the runs that can be compared.`,
  notKeptLater: "When a run begins, this file will not be kept to compare it with.",
  full: (most: number) =>
    `${most} runs are kept, and there is no room for more. Drop one in the table of runs (panel Curves) to make room.`,
  several: (kept: readonly string[]) =>
    `${counted(kept.length, "recording is", "recordings are")} among the runs that can be compared (panel Curves): ${kept.join(", ")}.`,
  leftOut: (name: string, why: string) => `${name} is left out. ${why}`,
  noLink: "A link does not hold the file: whoever opens one sees the page's own run.",
  keepFile: "Keep it among the runs",
  close: "Close the file",
} as const;
