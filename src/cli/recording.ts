/**
 * Writes a recording: to a temporary name next to its path, and renames it once it is complete. Its
 * last line has the SHA-256 of all bytes before that line.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { InputError, show } from "../numeric/inputError.ts";
import { onFiles } from "./fileError.ts";
import { linkNew, syncFolder, writeAll, makeFolder } from "./wholeFile.ts";

export class RecordingWriter {
  #file: string;
  #header: object;
  #force: boolean;
  #part: string;
  #open: number | null = null;
  #hash = createHash("sha256");

  /**
   * @throws InputError if the file cannot be created, or exists without `force`. Writes nothing.
   */
  constructor(file: string, header: object, force: boolean) {
    this.#file = onFiles(`--record ${file} cannot be written`, () => placeOf(file, force));
    this.#header = header;
    this.#force = force;
    this.#part = `${this.#file}.${process.pid}-${Date.now()}.part`;
  }

  begin(): void {
    this.#onFile(() => {
      makeFolder(dirname(this.#part));
      this.#open = openSync(this.#part, "wx");
    });
    this.add(this.#header);
  }

  add(value: object): void {
    const line = `${JSON.stringify(value)}\n`;
    this.#hash.update(line);
    this.#write(line);
  }

  /** Renames the recording to its path. */
  finish(closing: object): void {
    this.#write(`${JSON.stringify({ ...closing, sha256: this.#hash.digest("hex") })}\n`);
    this.#onFile(() => fsyncSync(this.#open!));
    this.#close();
    if (this.#force) this.#onFile(() => renameSync(this.#part, this.#file));
    else this.#placeNew();
    this.#onFile(() => syncFolder(dirname(this.#file)));
  }

  #placeNew(): void {
    if (!this.#onFile(() => linkNew(this.#part, this.#file)))
      throw new InputError(
        `--record ${this.#file} was created in the meantime; the recording is in ${this.#part}`,
      );
    rmSync(this.#part);
  }

  /** Removes an incomplete file; does nothing after `finish`. */
  discard(): void {
    if (this.#open === null) return;
    this.#close();
    rmSync(this.#part, { force: true });
  }

  #write(text: string): void {
    this.#onFile(() => writeAll(this.#open!, text));
  }

  #close(): void {
    closeSync(this.#open!);
    this.#open = null;
  }

  #onFile<T>(work: () => T): T {
    return onFiles(`--record ${this.#file} cannot be written`, work);
  }
}

/** The file's real path, through links: a link remains one. */
function placeOf(file: string, force: boolean): string {
  if (!lstatSync(file, { throwIfNoEntry: false })) return file;
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile())
    throw new InputError(
      `option --record is ${show(file)}; it must be a file, not ${stat?.isDirectory() ? "a folder" : "a device or a broken link"}`,
    );
  if (!force) throw new InputError(`--record ${file} exists; add --force to replace it`);
  return realpathSync(file);
}
