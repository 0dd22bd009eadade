/** How a command reports failure: one line on stderr, and an exit code that shows the cause. */
import { EngineError } from "../engine/errors.ts";
import { InputError, oneLine } from "../numeric/inputError.ts";
import { FileError } from "./fileError.ts";

/** Exit codes for bad input, and for failures of the machine or of Turnbook itself. */
const BAD_INPUT = 2;
const FAILED = 1;

/** Prints what went wrong; returns the exit code. With TURNBOOK_TRACE=1 it also prints a defect's stack. */
export function sayFailure(error: unknown, say: (line: string) => void): number {
  say(sentenceOf(error));
  if (isDefect(error) && process.env["TURNBOOK_TRACE"] === "1" && error instanceof Error)
    say(error.stack ?? "no stack");
  return error instanceof InputError ? BAD_INPUT : FAILED;
}

/** Uncaught errors and rejections end the process the same way. */
export function endOnUncaught(say: (line: string) => void): void {
  const end = (error: unknown) => process.exit(sayFailure(error, say));
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}

function sentenceOf(error: unknown): string {
  const message = oneLine(error instanceof Error ? error.message : String(error));
  if (isSentence(error)) return message;
  if (isSystemError(error)) return `the machine failed: ${message}`;
  if (isOutOfMemory(error)) return `there is not enough memory for this: ${message}`;
  const kind = error instanceof Error ? error.name : "a value was thrown";
  return `this is a bug in Turnbook: ${kind}: ${message}; TURNBOOK_TRACE=1 before the same command shows where`;
}

/** Whether its message was written for readers. */
function isSentence(error: unknown): boolean {
  return [InputError, EngineError, FileError].some((kind) => error instanceof kind);
}

function isDefect(error: unknown): boolean {
  return !isSentence(error) && !isSystemError(error);
}

/** Disk full, too many open files, no permission: Node gives these an upper-case code and the call that failed. */
function isSystemError(error: unknown): boolean {
  const { code, syscall } = Object(error) as { code?: unknown; syscall?: unknown };
  return typeof code === "string" && typeof syscall === "string";
}

function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof RangeError)) return false;
  return /allocation failed|Invalid string length|Invalid array length|Cannot create a string/i.test(
    error.message,
  );
}
