/** A notebook's file becomes a notebook of this browser, from elsewhere: its code waits for the reader's consent. */
import { base64ToBytes } from "../../numeric/base64.ts";
import { MOST_NOTEBOOK_ZIP } from "../../store/savedLimits.ts";
import { say } from "../../ui/toasts.ts";
import { bringAnswers } from "./bookAnswers.ts";
import type { SweptRun } from "../../store/filesWorker.ts";
import { bringRuns, createBook, OPENING } from "./openBook.ts";
import { words as all } from "./words.ts";

const words = all.gallery;

interface OpenedFile {
  text: string;
  /** Saved runs by the ids of their experiments; each is checked when it is read. */
  runs: ReadonlyMap<string, Uint8Array>;
  /** Finished runs of its sweeps, checked. */
  sweeps: readonly SweptRun[];
  /** Answers to its questions; unchecked. */
  answers: unknown;
}

/** The kinds of files, by name, and their limits of bytes. */
const KINDS = [
  { ending: /\.zip$/i, most: MOST_NOTEBOOK_ZIP, read: fromZip },
  // With its pictures.
  { ending: /\.ipynb$/i, most: 40_000_000, read: fromIpynb },
  // A study of the command line.
  { ending: /\.ya?ml$/i, most: 4_000_000, read: fromStudy },
  // With its script and the models of its experiments.
  { ending: /\.html?$/i, most: 100_000_000, read: fromPage },
  // See MAX_LENGTH of the document.
  { ending: /$/, most: 4_000_000, read: fromText },
] as const;

/** Files that can be chosen. */
export const ACCEPTED = ".md,.markdown,.txt,.ipynb,.html,.zip,.yaml,.yml,text/markdown";

/** Of whatever size: it is said where they open. */
const OF_RUNS = /\.(jsonl|ndjson|csv|tsv|gz|zst|eval|parquet|pkl|pickle|pt)$/i;

type Opened = { hash: string; problem: null } | { hash: null; problem: string };

export async function openFile(file: File): Promise<Opened> {
  const refused = (problem: string) => ({ hash: null, problem });
  const { most, read } = KINDS.find(({ ending }) => ending.test(file.name))!;
  if (OF_RUNS.test(file.name)) return refused(words.notOpened(file.name, words.noMarkdown));
  if (file.size > most) return refused(words.tooLong(file.name));
  try {
    const { text, runs, sweeps, answers } = await read(file);
    const hash = await createBook(text, true);
    bringRuns(hash, runs);
    await bringAnswers(hash, answers);
    if (runs.size > 0) say({ text: words.runsCame(runs.size), testId: "runs-came" });
    if (sweeps.length > 0) await takeSweeps(hash, text, sweeps);
    return { hash, problem: null };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refused(words.notOpened(file.name, why));
  }
}

async function takeSweeps(hash: string, text: string, sweeps: readonly SweptRun[]) {
  const { bringSweeps } = await import("./cells/sweep/bringSweeps.ts");
  const { kept, why } = await bringSweeps(hash, text, sweeps);
  if (kept > 0) say({ text: words.sweepsCame(kept), testId: "sweeps-came" });
  if (why !== null) say({ text: words.sweepsLost(why), testId: "sweeps-lost" });
}

const alone = (text: string): OpenedFile => ({
  text,
  runs: new Map(),
  sweeps: [],
  answers: null,
});

/** Markdown. @throws Error if it is JSON, as runs and trainers' logs are, or binary */
async function fromText(file: File): Promise<OpenedFile> {
  const text = await file.text();
  if (/^\s*[{[]\s*["{]|\0/.test(text)) throw new Error(words.noMarkdown);
  return alone(text);
}

/** @throws InputError if it is not a Jupyter notebook */
async function fromIpynb(file: File): Promise<OpenedFile> {
  const { fromJupyter } = await import("../../notebook/jupyter.ts");
  return alone(fromJupyter(await file.text()));
}

/** @throws InputError if it is not a study's file */
async function fromStudy(file: File): Promise<OpenedFile> {
  const { studyNotebook } = await import("../../notebook/study/studyNotebook.ts");
  return alone(studyNotebook(await file.text()));
}

/** @throws Error if it holds no notebook */
async function fromZip(file: File): Promise<OpenedFile> {
  const { openNotebookZip } = await import("../../store/notebookFiles.ts");
  return openNotebookZip(file);
}

/** Only its notebook: the page itself shows its runs. @throws Error if it is not a page of ours */
async function fromPage(file: File): Promise<OpenedFile> {
  const { filesOfPage } = await import("../carried/carriedHtml.ts");
  const coded = filesOfPage(await file.text())?.[OPENING];
  if (typeof coded !== "string") throw new Error(words.noPage);
  return alone(new TextDecoder().decode(base64ToBytes(coded)));
}
