import { describe, expect, it } from "vitest";
import { parseArgs, type OptionSpec } from "../../src/cli/args.ts";
import { InputError } from "../../src/numeric/inputError.ts";

const OPTIONS: Record<string, OptionSpec> = {
  level: { type: "string" },
  penalty: { type: "number" },
  turns: { type: "integer", min: 1, max: 9 },
  think: { type: "string", choices: ["on", "off"] },
  set: { type: "string", repeat: true },
};

it("takes values after a space or an equals sign, negative ones too", () => {
  for (const argv of [["--penalty", "-0.5"], ["--penalty=-0.5"], ["--penalty", "-5e-1"]]) {
    expect(parseArgs(argv, OPTIONS).number("penalty")).toBe(-0.5);
  }
  const args = parseArgs(["--set=a=1", "word", "--set", "b=2", "--level=--odd"], OPTIONS);
  expect(args.list("set")).toEqual(["a=1", "b=2"]);
  expect(args.words).toEqual(["word"]);
  expect(args.string("level")).toBe("--odd");
  expect(args.string("think")).toBeUndefined();
});

describe("refuses", () => {
  it.each<[string[], string]>([
    [["--level"], "option --level needs a value"],
    [["--level", "--penalty", "1"], "option --level needs a value"],
    [["--depth", "1"], "unknown option --depth; allowed: --level, --penalty, --turns"],
    [["--constructor", "1"], "unknown option --constructor"],
    [["--level", "a", "--level=b"], "option --level is given twice"],
    [["--penalty="], 'option --penalty is ""; it must be a number'],
    [["--penalty", "NaN"], 'option --penalty is "NaN"; it must be a number'],
    [
      ["--turns", "1.5"],
      'option --turns is "1.5"; it must be a whole number of at least 1 up to 9',
    ],
    [["--turns=10"], 'option --turns is "10"'],
    [["--think=yes"], 'option --think is "yes"; allowed: on, off'],
  ])("%j", (argv, message) => {
    expect(() => parseArgs(argv, OPTIONS)).toThrow(InputError);
    expect(() => parseArgs(argv, OPTIONS)).toThrow(message);
  });
});

it("takes a flag bare or as true or false, and refuses what else may mean yes", () => {
  const parse = (word: string) => parseArgs([word], { force: { type: "flag" } }).flag("force");
  expect(["--force", "--force=true", "--force=false"].map(parse)).toEqual([true, true, false]);
  for (const value of ["1", "yes", ""])
    expect(() => parse(`--force=${value}`)).toThrow(`option --force is "${value}"; allowed: true`);
});

it("refuses whole numbers that no two neighbours of which can be told apart", () => {
  const parse = (value: string) => parseArgs(["--n", value], { n: { type: "integer", min: 1 } });
  expect(parse("9007199254740991").number("n")).toBe(9007199254740991);
  expect(() => parse("9007199254740993")).toThrow(
    'option --n is "9007199254740993"; it must be a whole number of at least 1 up to 9007199254740991',
  );
});
