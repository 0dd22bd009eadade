/** Identifies what is at a path, and checks each of its files. */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import { basename, join } from "node:path";
import { unzipSync } from "fflate";
import { MANIFEST, decodeManifest } from "../interchange/columnar/manifest.ts";
import { checkModelFolder } from "../model/checksums.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { RUN_FILES } from "../train/runFiles.ts";
import { checkSeal } from "../train/sealedZip.ts";
import { userPath } from "./args.ts";
import { onFiles } from "./fileError.ts";
import { keptIterations } from "./resumePoint.ts";
import { chunksOf } from "./textLines.ts";
import {
  verifyCheckpoint,
  verifyLog,
  verifyRecording,
  verifyRun,
  type RunFiles,
  type FileVerdict,
} from "./verifyFiles.ts";
import { ColumnarRecording } from "../interchange/columnar/open.ts";

/** `asked`: the path as typed. @throws InputError if it contains nothing that can be verified. */
export async function verifyPath(path: string, asked: string): Promise<FileVerdict[]> {
  return onFilesOf(asked, async () => {
    const stat = statSync(path);
    if (stat.isDirectory()) return verifyFolder(path, asked);
    if (!stat.isFile()) throw new InputError(`${show(asked)} is neither a file nor a folder`);
    const isZip = path.endsWith(".zip") || startsAs(path, "PK\x03\x04");
    if (isZip) return verifyZip(readFileSync(path), basename(path));
    return [verifyRecording(basename(path), chunksOf(path))];
  });
}

/** `doctor`'s verdict on a log: a pipe cannot be read twice. */
export function integrityOf(run: string): Omit<FileVerdict, "file"> {
  const path = userPath(run);
  const isFolder = statSync(path).isDirectory();
  if (!isFolder && !statSync(path).isFile()) return { state: "not checked", why: "it is a pipe" };
  // A folder of another program's files.
  if (isFolder && !existsSync(join(path, RUN_FILES.log))) return { state: "no chain" };
  try {
    const found = isFolder ? verifyLog(filesOf(path)) : verifyRecording(run, chunksOf(path));
    const { file: _file, ...verdict } = found;
    return verdict;
  } catch (error) {
    if (error instanceof InputError) return { state: "no chain" };
    throw error;
  }
}

async function onFilesOf<T>(asked: string, work: () => Promise<T>): Promise<T> {
  const failed = `${asked} cannot be read`;
  return work().catch((error: unknown) =>
    onFiles(failed, () => {
      throw error;
    }),
  );
}

function startsAs(path: string, start: string): boolean {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(start.length);
    return readSync(file, bytes) === start.length && bytes.toString("latin1") === start;
  } finally {
    closeSync(file);
  }
}

function verifyFolder(path: string, asked: string): Promise<FileVerdict[]> {
  const entries = readdirSync(path, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const isRun = [RUN_FILES.marker, RUN_FILES.log, RUN_FILES.checkpoint].some((name) =>
    names.includes(name),
  );
  if (isRun) return verifyRun(filesOf(path));
  if (names.includes(MANIFEST)) return verifyColumnar(path);
  if (names.includes("config.json") || names.includes("SHA256SUMS"))
    return checkModelFolder(names, (name) => Promise.resolve(readFileSync(join(path, name))));
  throw new InputError(`${show(asked)} holds neither a run, a recording nor a model`);
}

function filesOf(directory: string): RunFiles {
  const top: string[] = Object.values(RUN_FILES).filter((name) => name !== RUN_FILES.lock);
  const kept = keptIterations(directory).map((n) => `${RUN_FILES.kept}/iteration-${n}.zip`);
  const isFile = (name: string) => statSync(join(directory, name)).isFile();
  const names = [...top, ...kept].filter(
    (name) => existsSync(join(directory, name)) && isFile(name),
  );
  const path = (name: string) => join(directory, name);
  return {
    names,
    read: (name) => readFileSync(path(name)),
    chunks: (name) => chunksOf(path(name)),
  };
}

/** A checkpoint, or a run or a recording that the page has saved. */
async function verifyZip(bytes: Uint8Array, file: string): Promise<FileVerdict[]> {
  const members = membersOf(bytes);
  const isRun = members !== null && (RUN_FILES.marker in members || RUN_FILES.log in members);
  const isColumnar = members !== null && MANIFEST in members;
  if (!isRun && !isColumnar) return [(await verifyCheckpoint(file, bytes)).verdict];
  const seal = await checkSeal(bytes);
  const state = { whole: "intact", none: "no hash", broken: "altered" }[seal];
  const why = seal === "broken" ? { why: "its SHA-256 does not match" } : {};
  const files: RunFiles = {
    names: Object.keys(members),
    read: (name) => members[name]!,
    chunks: (name) => [members[name]!],
  };
  const inside = isColumnar ? await verifyParts((name) => members[name]) : await verifyRun(files);
  return [
    { file, state, ...why },
    ...inside.map((one) => ({ ...one, file: `${file}/${one.file}` })),
  ];
}

/** Maximum bytes of a member: a file from elsewhere may claim any size. */
const LARGEST = 2 ** 31;

/** Null if the archive cannot be opened. */
function membersOf(bytes: Uint8Array): Record<string, Uint8Array> | null {
  try {
    return unzipSync(bytes, { filter: ({ originalSize }) => originalSize <= LARGEST });
  } catch {
    return null;
  }
}

/** One verdict per file; the hash chain is not checked, because it belongs to the full run. */
async function verifyColumnar(folder: string): Promise<FileVerdict[]> {
  return verifyParts((name) => {
    const path = join(folder, name);
    return existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined;
  });
}

/** `bytesOf`: a file's bytes by name; undefined if there is none. */
async function verifyParts(
  bytesOf: (name: string) => Uint8Array | undefined,
): Promise<FileVerdict[]> {
  const text = new TextDecoder().decode(bytesOf(MANIFEST));
  const readPart = async (name: string) => {
    const bytes = bytesOf(name);
    if (!bytes) throw new InputError("it is missing");
    return Promise.resolve(bytes);
  };
  try {
    const { parts, fingerprint, events } = decodeManifest(text);
    const recording = new ColumnarRecording(text, readPart);
    const verdicts: FileVerdict[] = [{ file: MANIFEST, state: "intact", events, fingerprint }];
    for (const { name } of parts) verdicts.push(await verdictOf(recording, name));
    return verdicts;
  } catch (error) {
    return [alteredBy(MANIFEST, error)];
  }
}

async function verdictOf(recording: ColumnarRecording, name: string): Promise<FileVerdict> {
  try {
    await recording.file(name);
    return { file: name, state: "intact" };
  } catch (error) {
    return alteredBy(name, error);
  }
}

function alteredBy(file: string, error: unknown): FileVerdict {
  if (!(error instanceof InputError)) throw error;
  return { file, state: "altered", why: error.message };
}
