/** One writer to a run folder: a lock file that names the process. A process that is gone holds nothing. */
import { readFileSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { InputError } from "../numeric/inputError.ts";
import { hasCode } from "./fileError.ts";
import { lifeOf, thisProcess, type ProcessName } from "./processes.ts";
import { linkNew, writeSynced } from "./wholeFile.ts";

/** Endings that are asked for; the lock goes, then the process ends as it would have. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Attempts before giving up: others may take and leave the lock meanwhile. */
const ATTEMPTS = 20;

export class RunLock {
  #path: string;
  #text: string;

  private constructor(path: string, text: string) {
    this.#path = path;
    this.#text = text;
    process.on("exit", this.release);
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  /**
   * Takes the lock, if need be from a process that is gone, and says so; with `force` also from one of which nothing is known.
   * @throws InputError when another process holds it.
   */
  static take(path: string, force: boolean, say: (line: string) => void): RunLock {
    const text = `${JSON.stringify({ ...thisProcess(), at: new Date().toISOString() })}\n`;
    const part = `${path}.${process.pid}.part`;
    writeSynced(part, text);
    try {
      let gone: string | null = null;
      for (let i = 0; i < ATTEMPTS; i++) {
        if (linkNew(part, path)) {
          // Said only now: another process may take a lock that this one removed.
          if (gone !== null) say(`took over the lock of ${gone}`);
          return new RunLock(path, text);
        }
        const held = readLock(path);
        if (held === null) continue;
        const holder = parseHolder(held);
        refuse(dirname(path), holder, force);
        if (removeLock(path, held)) gone = nameOf(holder);
      }
      throw new InputError(`${dirname(path)} is being opened by other processes; try again`);
    } finally {
      rmSync(part, { force: true });
    }
  }

  /** Before each write. @throws InputError when the lock is another's by now. */
  check(): void {
    const held = readLock(this.#path);
    if (held === this.#text) return;
    const by =
      held === null ? "its lock is gone" : `${nameOf(parseHolder(held))} has taken it over`;
    throw new InputError(
      `${dirname(this.#path)} no longer belongs to this process (${by}); stopping`,
    );
  }

  release = (): void => {
    process.off("exit", this.release);
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    if (readLock(this.#path) === this.#text) rmSync(this.#path, { force: true });
  };

  #onSignal = (signal: NodeJS.Signals): void => {
    this.release();
    process.kill(process.pid, signal);
  };
}

/** Waits while a running process of this host holds the lock, at most so many milliseconds: one that is ending, say. */
export async function waitForLock(path: string, most: number): Promise<void> {
  const end = performance.now() + most;
  while (isHeld(path) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 200));
}

function isHeld(path: string): boolean {
  const held = readLock(path);
  const holder = held === null ? null : parseHolder(held);
  return holder !== null && lifeOf(holder) === "runs";
}

/** Null where there is none. */
function readLock(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Null for what is no lock of ours, or damaged. */
function parseHolder(text: string): ProcessName | null {
  try {
    const holder = JSON.parse(text) as ProcessName;
    return typeof holder.pid === "number" && typeof holder.host === "string" ? holder : null;
  } catch {
    return null;
  }
}

function nameOf(holder: ProcessName | null): string {
  return holder
    ? `process ${holder.pid} on host ${holder.host}`
    : "a process whose lock is damaged";
}

function refuse(folder: string, holder: ProcessName | null, force: boolean): void {
  const life = holder ? lifeOf(holder) : "unknown";
  if (life === "gone" || (life === "unknown" && force)) return;
  const advice =
    life === "runs"
      ? "wait for it, stop it, or use another --out folder"
      : "if that process has ended, add --force to take the folder over";
  throw new InputError(`${nameOf(holder)} is writing to ${folder}; ${advice}`);
}

/** Moves the lock away before it is removed: another process may have replaced it since it was read. */
function removeLock(path: string, held: string): boolean {
  const aside = `${path}.${process.pid}.part.old`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
  const isThat = readLock(aside) === held;
  if (!isThat) linkNew(aside, path);
  rmSync(aside, { force: true });
  return isThat;
}
