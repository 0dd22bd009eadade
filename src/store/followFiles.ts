/** Follows files that a trainer is still writing: whenever they have grown they are read again, by the usual import. */
import { words } from "../interchange/import/words.ts";
import { filePath, rememberPath, type StartImport } from "./importFiles.ts";
import { startImport } from "./startImport.ts";

/** Milliseconds between two looks; reading may take at most a fifth of the time. */
const PAUSE = 1000;
const REST = 4;

/** Reads them when there are some, and again as they grow; several recordings of our own once. @param current the files as they are now */
export function following(
  current: () => Promise<readonly File[]>,
  start: StartImport = startImport,
  pause = PAUSE,
): StartImport {
  return (_files, { onRead, onChecked, onRefused }) => {
    const whole = new Map<string, Promise<File>>();
    let seen = "";
    let stopped = false;
    let stop = () => {};
    const read = (files: readonly File[]) =>
      new Promise<void>((resolve) => {
        stop = start(files, {
          onRead: (log, facts, name) => {
            stopped ||= name !== null;
            const notes = stopped ? facts.notes : [words.followed, ...facts.notes];
            onRead(log, { ...facts, notes }, name);
          },
          onChecked: (log, checked) => {
            onChecked(log, checked);
            resolve();
          },
          onRefused: (refusal, name) => {
            onRefused(refusal, name);
            resolve();
          },
        });
      });
    const look = async () => {
      const files = await current();
      const now = files.map(stateOf);
      if (stopped || files.length === 0 || now.join("\n") === seen) return;
      seen = now.join("\n");
      for (const state of whole.keys()) if (!now.includes(state)) whole.delete(state);
      files.forEach((file, i) => whole.has(now[i]!) || whole.set(now[i]!, wholeLines(file)));
      const lines = await Promise.all(now.map((state) => whole.get(state)!));
      if (!stopped) await read(lines);
    };
    const follow = async () => {
      const began = Date.now();
      // A server that is away, or a file that is: it may be there at the next look.
      await look().catch(() => {});
      if (!stopped) setTimeout(follow, Math.max(pause, REST * (Date.now() - began)));
    };
    void follow();
    return () => {
      stopped = true;
      stop();
    };
  };
}

const stateOf = (file: File) => `${filePath(file)} ${file.size} ${file.lastModified}`;

const NEWLINE = 0x0a;

/** Bytes at the end of a file that are searched at first for its last line. */
const END = 1 << 16;

/** A file of lines without the one that is still being written: a last one that has no end and is not JSON yet. */
async function wholeLines(file: File): Promise<File> {
  if (!/\.(?:jsonl|ndjson)$/i.test(file.name)) return file;
  let [from, end, bytes] = [file.size, 0, new Uint8Array(0)];
  for (let size = END; end === 0 && from > 0; size *= 16) {
    from = Math.max(0, file.size - size);
    bytes = new Uint8Array(await file.slice(from).arrayBuffer());
    end = bytes.lastIndexOf(NEWLINE) + 1;
  }
  const last = new TextDecoder().decode(bytes.subarray(end));
  if (last.trim() === "" || isJson(last)) return file;
  const { lastModified } = file;
  const whole = new File([file.slice(0, from + end)], file.name, { lastModified });
  rememberPath(whole, filePath(file));
  return whole;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
