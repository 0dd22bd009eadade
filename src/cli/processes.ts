/** Which process this is, and whether another one is still running: needed for a lock. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface ProcessName {
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
export function lifeOf(other: ProcessName): "runs" | "gone" | "unknown" {
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
