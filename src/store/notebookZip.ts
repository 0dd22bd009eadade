/**
 * A notebook with its runs as one sealed zip: `notebook.md`, and each experiment's saved run with its checkpoint as `runs/CELL.turnbook.zip`,
 * which is checked by itself when it is read, and `answers.json`, what was answered in its questions. Made and opened off the page's thread.
 */
import { unzipSync, zipSync, type Zippable } from "fflate";
import { textOfCodes } from "../numeric/lists.ts";
import { InputError } from "../spec/inputError.ts";
import { checkSeal, seal } from "../train/sealedZip.ts";
import { LARGEST_SAVED, MOST_NOTEBOOK_ZIP, SAVED_NAME } from "./savedLimits.ts";

export interface NotebookFiles {
  text: string;
  /** Saved runs by the ids of their experiments. */
  runs: ReadonlyMap<string, Uint8Array>;
  /** See quizAnswers.ts; of a file not checked yet. */
  answers: unknown;
}

const TEXT = "notebook.md";
const ANSWERS = "answers.json";
const RUN = /^runs\/([\w-]{1,64})\.turnbook\.zip$/;

/** Bytes; runs have their own limit. */
const MOST_TEXT = 4_000_000;
/** More than that a notebook does not hold. */
const MOST_RUNS = 200;

export async function packNotebook({ text, runs, answers }: NotebookFiles): Promise<Uint8Array> {
  const encoded = (content: string) => new TextEncoder().encode(content);
  const files: Zippable = { [TEXT]: encoded(text) };
  if (answers !== null) files[ANSWERS] = encoded(JSON.stringify(answers));
  // They are packed already.
  for (const [id, run] of runs) files[`runs/${id}${SAVED_NAME}`] = [run, { level: 0 }];
  return seal(zipSync(files));
}

/** @throws InputError where it is damaged, too large, or holds no notebook; what else is in it is left out */
export async function unpackNotebook(bytes: Uint8Array): Promise<NotebookFiles> {
  if (textOfCodes(bytes.subarray(0, 4)) !== "PK\x03\x04")
    throw new InputError("the file is not a zip");
  if ((await checkSeal(bytes)) === "broken")
    throw new InputError("the zip is damaged: its SHA-256 does not match");
  const files = unzipped(bytes);
  const text = files[TEXT];
  if (!text) throw new InputError(`the zip holds no ${TEXT}`);
  const runs = new Map<string, Uint8Array>();
  for (const [name, content] of Object.entries(files)) {
    const id = RUN.exec(name)?.[1];
    if (id !== undefined) runs.set(id, content);
  }
  return { text: new TextDecoder().decode(text), runs, answers: jsonIn(files[ANSWERS]) };
}

/** Null where there are none, or they cannot be read. */
function jsonIn(content: Uint8Array | undefined): unknown {
  try {
    return content ? (JSON.parse(new TextDecoder().decode(content)) as unknown) : null;
  } catch {
    return null;
  }
}

/** Limits hold before anything is unpacked: sizes are those that the zip states, and no more is written. */
function unzipped(bytes: Uint8Array): Record<string, Uint8Array> {
  let [size, runs] = [0, 0];
  const isWanted = ({ name, originalSize }: { name: string; originalSize: number }) => {
    const isRun = RUN.test(name);
    if (name !== TEXT && name !== ANSWERS && !isRun) return false;
    const most = isRun ? LARGEST_SAVED : MOST_TEXT;
    size += originalSize;
    if (isRun) runs++;
    if (originalSize > most || size > MOST_NOTEBOOK_ZIP || runs > MOST_RUNS)
      throw new InputError(
        `${name} in the zip is too large: ${originalSize} bytes, ${size} with those before it; at most ${most}, ` +
          `${MOST_NOTEBOOK_ZIP} together, and ${MOST_RUNS} runs`,
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
