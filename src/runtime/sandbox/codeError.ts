/** An error in user code, with the code's name and line. */
import { InputError } from "../../numeric/inputError.ts";

/** A line that user code wrote to its console. */
export interface ConsoleLine {
  level: "log" | "warn" | "error";
  text: string;
}

export class CodeError extends InputError {
  override name = "CodeError";
  /** Name of the definition or the cell. */
  readonly code: string;
  /** From 1; null if unknown. */
  readonly line: number | null;
  /** What went wrong, without the location. */
  readonly what: string;
  /** Console output before the error. */
  readonly lines: readonly ConsoleLine[];

  constructor(code: string, line: number | null, what: string, lines: readonly ConsoleLine[] = []) {
    super(`${code}${line === null ? "" : `, line ${line}`}: ${what}`);
    this.code = code;
    this.line = line;
    this.what = what;
    this.lines = lines;
  }

  with(lines: readonly ConsoleLine[]): CodeError {
    return new CodeError(this.code, this.line, this.what, lines);
  }
}

/** The interpreter's messages for a reached limit, and our replacements. */
const LIMITS: readonly (readonly [RegExp, string])[] = [
  [/^InternalError: interrupted/, "the code took too many steps; it may loop forever"],
  [/out of memory/, "the code used too much memory"],
  [/stack overflow/, "the code calls itself too deeply"],
  [/^ReferenceError: could not load module/, "import is not available here"],
];

/** Globals of a page: code that uses one may assume that it runs in the page. */
const PAGE =
  /^ReferenceError: '?(fetch|XMLHttpRequest|WebSocket|localStorage|sessionStorage|indexedDB|document|window|self|navigator|location|setTimeout|setInterval|performance|Date|crypto|process|require)'? is not defined/;

/**
 * name: the code's name, as in its stack frames; dumped: the interpreter's description of the
 * error.
 */
export function codeErrorOf(name: string, dumped: unknown): CodeError {
  const { name: kind, message, stack, lineNumber } = fieldsOf(dumped);
  const text = `${kind}: ${message}`.slice(0, 500);
  const known = LIMITS.find(([pattern]) => pattern.test(text))?.[1];
  const asked = PAGE.exec(text)?.[1];
  const what =
    known ?? (asked ? `${asked} is not available here: code sees only what it is given` : text);
  return new CodeError(name, lineIn(stack, name) ?? lineNumber, what);
}

function fieldsOf(dumped: unknown) {
  if (typeof dumped !== "object" || dumped === null)
    return { name: "Error", message: String(dumped), stack: "", lineNumber: null };
  const { name, message, stack, lineNumber } = dumped as Record<string, unknown>;
  return {
    name: typeof name === "string" ? name : "Error",
    message: typeof message === "string" ? message : "",
    stack: typeof stack === "string" ? stack.slice(0, 10_000) : "",
    lineNumber: typeof lineNumber === "number" ? lineNumber : null,
  };
}

/** The innermost line of the code itself. */
function lineIn(stack: string, name: string): number | null {
  const at = stack.indexOf(`${name}:`);
  if (at < 0) return null;
  const line = Number.parseInt(stack.slice(at + name.length + 1), 10);
  return Number.isInteger(line) ? line : null;
}
