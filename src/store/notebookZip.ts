/**
 * A notebook with its runs as one sealed zip: `notebook.md`, each experiment's saved run with its
 * checkpoint as `runs/CELL.turnbook.zip` (checked separately when it is read), finished runs of its
 * sweeps as `sweeps/DIGEST.turnbook.zip`, and `answers.json`, the answers to its questions. Made
 * and opened off the page's thread.
 */
import { unzipSync, zipSync, type Zippable } from "fflate";
import { textOfCodes } from "../numeric/lists.ts";
import { InputError } from "../numeric/inputError.ts";
import { checkSeal, seal } from "../train/sealedZip.ts";
import { LARGEST_SAVED, MOST_NOTEBOOK_ZIP, SAVED_NAME } from "./savedLimits.ts";

export interface NotebookFiles {
  text: string;
  /** Saved runs by the ids of their experiments. */
  runs: ReadonlyMap<string, Uint8Array>;
  /** Saved runs by the digests of what they train, see sweepShelf.ts. */
  sweeps: ReadonlyMap<string, Uint8Array>;
  /** See quizAnswers.ts; from an unchecked file. */
  answers: unknown;
}

const TEXT = "notebook.md";
const ANSWERS = "answers.json";
const RUN = /^runs\/([\w-]{1,64})\.turnbook\.zip$/;
const SWEPT = /^sweeps\/([0-9a-f]{32})\.turnbook\.zip$/;

/** Maximum bytes of text; runs have their own limit. */
const MOST_TEXT = 4_000_000;
/** Maximum number of runs in a notebook; those of sweeps are counted separately. */
const MOST_RUNS = 200;
const MOST_SWEPT = 500;

export async function packNotebook(notebook: NotebookFiles): Promise<Uint8Array> {
  const { text, runs, sweeps, answers } = notebook;
  const encoded = (content: string) => new TextEncoder().encode(content);
  const files: Zippable = { [TEXT]: encoded(text) };
  if (answers !== null) files[ANSWERS] = encoded(JSON.stringify(answers));
  // They are compressed already.
  for (const [id, run] of runs) files[`runs/${id}${SAVED_NAME}`] = [run, { level: 0 }];
  for (const [digest, run] of [...sweeps].slice(0, MOST_SWEPT))
    files[`sweeps/${digest}${SAVED_NAME}`] = [run, { level: 0 }];
  return seal(zipSync(files));
}

/** @throws InputError if it is damaged, too large, or contains no notebook; other files in it are ignored */
export async function unpackNotebook(bytes: Uint8Array): Promise<NotebookFiles> {
  if (textOfCodes(bytes.subarray(0, 4)) !== "PK\x03\x04")
    throw new InputError("the file is not a zip");
  if ((await checkSeal(bytes)) === "broken")
    throw new InputError("the zip is damaged: its SHA-256 does not match");
  const files = unzipped(bytes);
  const text = files[TEXT];
  if (!text) throw new InputError(`the zip holds no ${TEXT}`);
  return {
    text: new TextDecoder().decode(text),
    runs: namedAs(RUN, files),
    sweeps: namedAs(SWEPT, files),
    answers: jsonIn(files[ANSWERS]),
  };
}

/** Contents keyed by the part of their names that the pattern captures. */
function namedAs(pattern: RegExp, files: Record<string, Uint8Array>): Map<string, Uint8Array> {
  return new Map(
    Object.entries(files).flatMap(([name, content]) => {
      const id = pattern.exec(name)?.[1];
      return id === undefined ? [] : [[id, content] as const];
    }),
  );
}

/** Null if there are none, or they cannot be read. */
function jsonIn(content: Uint8Array | undefined): unknown {
  try {
    return content ? (JSON.parse(new TextDecoder().decode(content)) as unknown) : null;
  } catch {
    return null;
  }
}

/** Limits are checked before unpacking: the zip states the sizes, and no more is written. */
function unzipped(bytes: Uint8Array): Record<string, Uint8Array> {
  let [size, runs, swept] = [0, 0, 0];
  const isWanted = ({ name, originalSize }: { name: string; originalSize: number }) => {
    const [isRun, isSwept] = [RUN.test(name), SWEPT.test(name)];
    if (name !== TEXT && name !== ANSWERS && !isRun && !isSwept) return false;
    const most = isRun || isSwept ? LARGEST_SAVED : MOST_TEXT;
    size += originalSize;
    if (isRun) runs++;
    if (isSwept) swept++;
    const areMany = runs > MOST_RUNS || swept > MOST_SWEPT;
    if (originalSize > most || size > MOST_NOTEBOOK_ZIP || areMany)
      throw new InputError(
        `${name} in the zip is too large: ${originalSize} bytes, ${size} with those before it; at most ${most}, ` +
          `${MOST_NOTEBOOK_ZIP} together, ${MOST_RUNS} runs, and ${MOST_SWEPT} runs of sweeps`,
      );
    return true;
  };
  try {
    return unzipSync(bytes, { filter: isWanted });
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError("the zip is damaged: it cannot be opened");
  }
}
