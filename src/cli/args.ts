/** Command-line options: `--key value`, `--key=value`, negative numbers as values, repeated keys. */
import { basename, resolve } from "node:path";
import { InputError, show } from "../numeric/inputError.ts";

export interface OptionSpec {
  /** `number` and `integer` are checked; `flag` takes no value. */
  type: "string" | "number" | "integer" | "flag";
  repeat?: boolean;
  min?: number;
  max?: number;
  choices?: readonly string[];
}

export interface Args {
  /** Arguments that are not options, in order. */
  words: string[];
  string(key: string): string | undefined;
  number(key: string): number | undefined;
  list(key: string): string[];
  flag(key: string): boolean;
}

/** Relative paths are relative to where the command was typed (npm changes the directory, and reports the original). */
export function userPath(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? process.cwd(), path);
}

/** The folder of `--out`, if given: "" would be the current folder. */
export function outFolder(args: Args): string | undefined {
  const folder = args.string("out");
  if (folder === undefined) return undefined;
  if (folder.trim() === "")
    throw new InputError(`option --out is ${show(folder)}; it must name a folder`);
  return userPath(folder);
}

/** Parses and checks; throws InputError for unknown keys, missing values and wrong types. */
export function parseArgs(argv: string[], options: Record<string, OptionSpec>): Args {
  const words: string[] = [];
  const found = new Map<string, string[]>();
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (!word.startsWith("--")) {
      words.push(word);
      continue;
    }
    const eq = word.indexOf("=");
    const key = eq < 0 ? word.slice(2) : word.slice(2, eq);
    const spec = Object.hasOwn(options, key) ? options[key] : undefined;
    if (!spec) throw new InputError(`unknown option --${key}; allowed: ${allowed(options)}`);
    let value: string | undefined = eq < 0 ? undefined : word.slice(eq + 1);
    if (spec.type === "flag") value ??= "true";
    // A value that starts with one dash may be a negative number; with two it is the next option.
    else if (value === undefined && !argv[i + 1]?.startsWith("--")) value = argv[++i];
    if (value === undefined) throw new InputError(`option --${key} needs a value`);
    checkValue(key, value, spec);
    const values = found.get(key) ?? [];
    if (values.length > 0 && !spec.repeat) throw new InputError(`option --${key} is given twice`);
    found.set(key, [...values, value]);
  }
  return {
    words,
    string: (key) => found.get(key)?.[0],
    number: (key) => (found.has(key) ? Number(found.get(key)![0]) : undefined),
    list: (key) => found.get(key) ?? [],
    flag: (key) => found.get(key)?.[0] === "true",
  };
}

/**
 * For a command that only one environment has: `COMMAND ENVIRONMENT --option ...`, without further
 * arguments.
 * @throws InputError as `parseArgs`, and for another environment or an extra argument.
 */
export function parseArgsOf(
  command: string,
  environment: string,
  [name, ...rest]: string[],
  options: Record<string, OptionSpec>,
): Args {
  if (name !== environment)
    throw new InputError(
      `${command} needs an environment, not ${show(name)}; allowed: ${environment}`,
    );
  const args = parseArgs(rest, options);
  const [word] = args.words;
  if (word !== undefined)
    throw new InputError(`${command} ${environment} takes no argument ${show(word)}`);
  return args;
}

function allowed(options: Record<string, OptionSpec>): string {
  const keys = Object.keys(options).map((key) => `--${key}`);
  return keys.length > 0 ? keys.join(", ") : "none";
}

function checkValue(key: string, value: string, spec: OptionSpec): void {
  if (spec.choices && !spec.choices.includes(value)) {
    throw new InputError(`option --${key} is ${show(value)}; allowed: ${spec.choices.join(", ")}`);
  }
  if (spec.type === "flag" && value !== "true" && value !== "false")
    throw new InputError(`option --${key} is ${show(value)}; allowed: true, false, or no value`);
  if (spec.type !== "number" && spec.type !== "integer") return;
  const number = Number(value);
  const whole = spec.type === "number" || Number.isInteger(number);
  const { min = -Infinity } = spec;
  // Beyond that, neighbouring integers share a double, so the value used would differ from the one
  // typed.
  const largest = spec.type === "integer" && Math.abs(number) > Number.MAX_SAFE_INTEGER;
  const max = spec.max ?? (largest ? Number.MAX_SAFE_INTEGER : Infinity);
  if (value.trim() === "" || !Number.isFinite(number) || !whole || number < min || number > max) {
    const kind = spec.type === "integer" ? "a whole number" : "a number";
    const range =
      min > -Infinity || max < Infinity
        ? ` ${min > -Infinity ? `of at least ${min}` : ""}${max < Infinity ? ` up to ${max}` : ""}`
        : "";
    throw new InputError(`option --${key} is ${show(value)}; it must be ${kind}${range}`);
  }
}

/**
 * A command's words as a recording or a checkpoint keeps them: without `--work DIR`, since where work
 * goes on changes no number, and of `--model DIR` the folder's name alone.
 */
export function keptWords(argv: readonly string[]): string[] {
  return argv.flatMap((word, i) => {
    if (/^--work(=|$)/.test(word) || argv[i - 1] === "--work") return [];
    if (argv[i - 1] === "--model") return [basename(word)];
    return [word.replace(/^--model=.*/s, (given) => `--model=${basename(given.slice(8))}`)];
  });
}
