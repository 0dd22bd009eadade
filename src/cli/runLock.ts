/** Ensures a single writer of a run folder: a lock file that names the process. The lock of a process that is gone does not count. */
import { readFileSync, renameSync, rmSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import { InputError } from "../numeric/inputError.ts";
import { hasCode } from "./fileError.ts";
import { linkNew, writeSynced } from "./wholeFile.ts";
import { hostname } from "node:os";

/** Termination signals: the lock is removed, then the process ends as it would have. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Attempts before giving up: others may take and release the lock in the meantime. */
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
   * Takes the lock, if necessary from a process that is gone, and reports that; with `force` also
   * from one whose state is unknown.
   * @throws InputError if another process holds it.
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

  /** Before each write. @throws InputError if another process has the lock by now. */
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

/** Waits while a running process on this host holds the lock, up to this many milliseconds: it may be ending. */
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

/** Null if there is none. */
function readLock(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Null if it is not one of our locks, or damaged. */
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

// Which process this is, and whether another one is still running: needed for a lock.

interface ProcessName {
  pid: number;
  host: string;
  /** The machine's boot, the namespace of its process ids, the process's start time: null if the system does not report it. */
  boot: string | null;
  space: string | null;
  started: string | null;
}

export function thisProcess(): ProcessName {
  const { pid } = process;
  return {
    pid,
    host: hostname(),
    boot: readOrNull(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    space: readOrNull(() => readlinkSync("/proc/self/ns/pid")),
    started: statOf(pid)?.started ?? null,
  };
}

/** unknown: on another host, or the system does not report when processes started. */
function lifeOf(other: ProcessName): "runs" | "gone" | "unknown" {
  const own = thisProcess();
  if (other.host !== own.host) return "unknown";
  if (other.boot !== own.boot) return "gone";
  if (other.space !== own.space) return "unknown";
  if (!isThere(other.pid)) return "gone";
  const stat = statOf(other.pid);
  if (!stat || other.started === null) return "unknown";
  // The same number may belong to another process by now; a zombie is already dead.
  return stat.started === other.started && stat.state !== "Z" ? "runs" : "gone";
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Linux's fields 3 and 22; the second field, the program's name, may contain anything but ends with a bracket. */
function statOf(pid: number): { state: string; started: string } | null {
  const text = readOrNull(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields ? { state: fields[0]!, started: fields[19]! } : null;
}

function readOrNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
