/**
 * A folder of files that a command writes: new or empty, or with `--force` over files of the same
 * names. All files are written completely to temporary names before the first one is renamed.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError, show } from "../numeric/inputError.ts";
import { userPath } from "./args.ts";
import { onFiles } from "./fileError.ts";
import { linkNew, syncFolder, writeSynced, makeFolder } from "./wholeFile.ts";

export class OutputFolder {
  #asked: string;
  #path: string;
  #force: boolean | null;

  /**
   * `force`: null if the command has no such option. @throws InputError if the folder may not be
   * written to: before the work, not after it.
   */
  constructor(asked: string, force: boolean | null) {
    this.#asked = asked;
    this.#path = userPath(asked);
    this.#force = force;
    onFiles(`option --out: cannot write to ${asked}`, () => this.#check());
  }

  #check(): void {
    const stat = statSync(this.#path, { throwIfNoEntry: false });
    if (!stat) return;
    if (stat.isDirectory() && (this.#force || readdirSync(this.#path).length === 0)) return;
    const hint =
      this.#force === null || !stat.isDirectory() ? "" : ", or add --force to replace files in it";
    throw new InputError(
      `option --out is ${show(this.#asked)}; it must be a new or an empty folder${hint}`,
    );
  }

  /** Paths within the folder, and their contents. */
  write(files: ReadonlyMap<string, Uint8Array | string>): void {
    onFiles(`option --out: cannot write to ${this.#asked}`, () => {
      this.#check();
      this.#writeAll(files);
    });
  }

  #writeAll(files: ReadonlyMap<string, Uint8Array | string>): void {
    const parts: [part: string, place: string][] = [];
    try {
      for (const [name, content] of files) {
        const place = join(this.#path, name);
        const part = `${place}.${process.pid}.part`;
        makeFolder(dirname(place));
        parts.push([part, place]);
        writeSynced(part, content);
      }
      for (const [part, place] of parts) this.#put(part, place);
      for (const folder of new Set(parts.map(([part]) => dirname(part)))) syncFolder(folder);
    } finally {
      for (const [part] of parts) if (existsSync(part)) rmSync(part);
    }
  }

  #put(part: string, place: string): void {
    if (this.#force) renameSync(part, place);
    else if (!linkNew(part, place))
      throw new InputError(`${place} was created in the meantime; it is not replaced`);
  }
}
