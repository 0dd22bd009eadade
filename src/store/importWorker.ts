/** Reads selected files off the page's thread; of files that are too large to be held also steps, meanwhile and afterwards. */
import type { ImportChoices } from "../interchange/import/choices.ts";
import { kindOfBinary, RefusedError } from "../interchange/import/refused.ts";
import { words } from "../interchange/import/words.ts";
import { freeBytes } from "../numeric/bytes.ts";
import { checkRecording } from "../train/integrity.ts";
import type { FromImporter, ImportRequest, OwnRun } from "./importFiles.ts";
import { leftOut } from "../reading/log/leftOut.ts";
import {
  beginsAsRecording,
  readImport,
  readLarge,
  runsIn,
  type ChosenFile,
  type ReadIndex,
} from "../reading/log/readImport.ts";
import { MAX_BYTES, type RecordingIndex } from "../reading/log/recordingIndex.ts";
import { episodesOfStep, type LargeFile } from "../reading/log/stepIndex.ts";
import { stepPieces } from "../reading/log/stepPieces.ts";
import { LARGEST_SAVED, SAVED_NAME } from "./savedLimits.ts";
import { unpackRun } from "./savedRun.ts";
import type { FetchedStep, StepRequest, ToImporter } from "./stepFiles.ts";

/** Events per message: the page handles each in a few milliseconds. */
const CHUNK = 100;

type Send = (message: FromImporter | FetchedStep, transfer?: Transferable[]) => void;

self.addEventListener("message", ({ data }: MessageEvent<ImportRequest | StepRequest>) => {
  const send: Send = (message, transfer = []) => self.postMessage(message, { transfer });
  if ("step" in data) void answerStep(data, send);
  else void readFiles(data, send);
});

function refusalOf(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error;
  // The browser's error for a folder, or for a file that has been removed.
  if (error instanceof DOMException) return new RefusedError(words.refused.gone);
  return new RefusedError(words.refused.failed(error instanceof Error ? error.message : ""));
}

/** One after the other; a refused file does not stop the others. */
export async function readFiles({ files, choices }: ImportRequest, send: Send): Promise<void> {
  await orRefused(send, async () => {
    if (await staysInFiles(files)) return indexFiles(files, choices, send);
    const opened = files.map(async ({ path, file }) => ({
      name: path,
      bytes: new Uint8Array(await file.arrayBuffer()),
    }));
    const runs = await runsIn(await Promise.all(opened), MAX_BYTES);
    if (runs.length > 1) send({ type: "several", names: runs.map(([file]) => file!.name) });
    for (const run of runs) {
      send({ type: "begin", name: runs.length === 1 ? null : run[0]!.name });
      await orRefused(send, () => readRun(run, choices, send));
    }
  });
  send({ type: "end" });
}

/** Bytes of files of other programs beyond which their episodes stay there, to be read again step by step. */
const HELD = 32_000_000;
/** Bytes that tell what a file is, and what is in one that is compressed: Zstandard's blocks have up to 128 kB. */
const [HEAD, PACKED_HEAD] = [64, 1 << 18];

/** Whether the files are too large to be held, and can be read in parts. @throws RefusedError if only the first is so */
async function staysInFiles(files: readonly ToImporter[]): Promise<boolean> {
  const sum = (some: readonly ToImporter[]) => some.reduce((all, { file }) => all + file.size, 0);
  if (sum(files) <= HELD) return false;
  const heads = await Promise.all(files.map(({ file }) => headOfFile(file)));
  const isOwn = (await Promise.all(heads.map(beginsAsRecording))).includes(true);
  const held = files.filter((_, i) => isOwn || isReadWhole(heads[i]!));
  const isSaved = files.every(({ path }) => path.endsWith(SAVED_NAME));
  const [size, most] = [sum(held), isSaved ? LARGEST_SAVED : MAX_BYTES];
  // What is one value or table takes long to be read again for each step.
  if (size > HELD && sum(files) <= most) return false;
  if (size > most) {
    const say = isOwn || isSaved ? words.refused.large : words.refused.largeWhole;
    throw new RefusedError(say(megabytes(size), megabytes(most)));
  }
  return !isOwn && !isSaved;
}

async function headOfFile(file: File): Promise<Uint8Array<ArrayBuffer>> {
  const first = async (bytes: number) => new Uint8Array(await file.slice(0, bytes).arrayBuffer());
  const head = await first(HEAD);
  return kindOfBinary(head) === null || isReadWhole(head) ? head : first(PACKED_HEAD);
}

/** Whether a file is unpacked as a whole: lines may be compressed. */
function isReadWhole(head: Uint8Array): boolean {
  const kind = kindOfBinary(head);
  return kind !== null && kind !== "gzip" && kind !== "zstandard";
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}

/** Milliseconds between two messages of how much is read. */
const TELLING = 300;
/** Milliseconds from the first steps that are shown to the next; then longer, as reading goes on. */
const SHOWING = 1000;

/** What is read of the files so far is shown a few times before all of it is. */
async function indexFiles(
  files: readonly ToImporter[],
  choices: ImportChoices,
  send: Send,
): Promise<void> {
  const size = files.reduce((all, { file }) => all + file.size, 0);
  const furthest = files.map(() => 0);
  const share = () => furthest.reduce((all, one) => all + one, 0) / size;
  const large = files.map((file, i) =>
    largeFile(file, (end) => (furthest[i] = Math.max(furthest[i]!, end))),
  );
  const began = performance.now();
  let [told, shown] = [began, began];
  const show = ({ events, facts }: ReadIndex, isAll: boolean) => {
    send({ type: "begin", name: null });
    for (let at = 0; at < events.length; at += CHUNK)
      send({ type: "events", events: events.slice(at, at + CHUNK) });
    send({ type: "done", bytes: null, facts: { ...facts, ...(!isAll && { share: share() }) } });
  };
  const read = await readLarge(large, choices, otherWork(), (soFar) => {
    const now = performance.now();
    if (now >= shown) {
      show(soFar(), false);
      shown = performance.now() + SHOWING + 3 * (now - began);
    } else if (now >= told) send({ type: "share", share: share() });
    if (now >= told) told = now + TELLING;
  });
  show(read, true);
  send({ type: "checked", warnings: [], integrity: { state: "none" } });
}

/** Milliseconds after which a step that was asked for is read before the rest. */
const TURN = 40;

/** Lets other messages in, by one of its own: a timer would wait longer. */
function otherWork(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  let last = performance.now();
  return async () => {
    if (performance.now() < last + TURN) return;
    await new Promise<void>((resolve) => {
      port1.onmessage = () => resolve();
      port2.postMessage(null);
    });
    last = performance.now();
  };
}

/** Bytes of the first piece of a file, and of the largest: most files are opened before one is read on. */
const [FIRST, LARGEST] = [1 << 16, 1 << 20];

/** Read in this thread, which waits; a piece is there until the next is asked for. @param onRead receives the first byte that is not read yet, and how many were */
function largeFile(
  { path, file }: ToImporter,
  onRead: (end: number, count: number) => void,
): LargeFile {
  return {
    name: path,
    size: file.size,
    *chunks(start = 0, end = file.size) {
      let size = FIRST;
      for (let at = start; at < end; size = Math.min(4 * size, LARGEST)) {
        const bytes = bytesOf(file.slice(at, Math.min(end, at + size)));
        if (bytes.length === 0) return;
        at += bytes.length;
        onRead(at, bytes.length);
        yield bytes;
        freeBytes(bytes);
      }
    },
  };
}

/** Of workers alone, whose types are not the page's. */
declare class FileReaderSync {
  readAsArrayBuffer(part: Blob): ArrayBuffer;
}

/** @throws RefusedError if the file was changed or removed */
function bytesOf(part: Blob): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(part));
  } catch (error) {
    throw refusalOf(error);
  }
}

async function answerStep({ id, files, step, choices }: StepRequest, send: Send): Promise<void> {
  let read = 0;
  const large = files.map(
    ([at, file]) => [at, largeFile(file, (_end, count) => (read += count))] as const,
  );
  try {
    const episodes = await episodesOfStep(new Map(large), step, choices);
    for (const piece of stepPieces(episodes)) send({ type: "piece", id, piece });
    send({ type: "step", id, read });
  } catch (error) {
    const { message } = refusalOf(error);
    send({ type: "step", id, why: message, read });
  }
}

async function orRefused(send: Send, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { message, action, columns } = refusalOf(error);
    send({ type: "refused", why: message, action, columns });
  }
}

async function readRun(
  files: readonly ChosenFile[],
  choices: ImportChoices,
  send: Send,
): Promise<void> {
  const saved = files.length === 1 ? await unpackRun(files[0]!.bytes) : null;
  const chosen = saved ? [{ name: files[0]!.name, bytes: saved.log }] : files;
  const { isOwn, bytes, index, facts } = await readImport(chosen, choices);
  for (let at = 0; at < index.events.length; at += CHUNK)
    send({ type: "events", events: index.events.slice(at, at + CHUNK) });
  // Shown first: checking every episode takes longer than opening.
  const shown = isOwn ? bytes.slice() : bytes;
  const raw = saved ?? (isOwn ? ownRun(index) : undefined);
  const own = raw && { spec: raw.spec, checkpoint: raw.checkpoint, saved: saved !== null };
  const weights = own?.checkpoint ? [own.checkpoint.bytes.buffer] : [];
  send({ type: "done", bytes: shown, facts, raw: own }, [shown.buffer, ...weights]);
  const warnings = isOwn ? leftOut(bytes, index.events) : [];
  // Logs translated from other programs' files have no hash chain.
  const integrity = isOwn ? await checkRecording(bytes) : { state: "none" as const };
  send({ type: "checked", warnings, integrity });
}

/** For a plain recording: its run, if the file says. */
function ownRun({ events }: RecordingIndex): Omit<OwnRun, "saved"> | undefined {
  const start = events.find(({ event }) => event.type === "start")?.event;
  return start?.type === "start" ? { spec: start.spec, checkpoint: null } : undefined;
}
