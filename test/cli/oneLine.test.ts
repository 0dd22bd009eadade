/** Bad input and failures: one line on stderr and the right exit code, never a stack trace, never without an end. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { main } from "../../src/cli/main.ts";
import { readLines, readText, SILENCE } from "../../src/cli/readFile.ts";
import { EngineError } from "../../src/engine/errors.ts";
import { endOnUncaught, sayFailure } from "../../src/cli/failure.ts";
import { InputError } from "../../src/numeric/inputError.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-one-line-"));
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
beforeAll(() => void mkdirSync(join(folder, "there")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...argv: string[]) {
  const json: unknown[] = [];
  const lines: string[] = [];
  const out = {
    json: (value: unknown) => void json.push(value),
    progress: (line: string) => void lines.push(line),
  };
  return { code: await main(argv, out), json, lines };
}

const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;

/** Commands that read a file, with the place of its name. */
const READERS: [name: string, argv: (path: string) => string[]][] = [
  ["train", (path) => ["train", path]],
  ["export", (path) => ["export", "ragen", path, "--out", join(folder, "bundle")]],
  ["clone", (path) => ["clone", path, "--out", join(folder, "model")]],
  ["credit", (path) => ["credit", "--algorithm", "grpo", "--batch", path]],
  ["objective", (path) => ["objective", "--algorithm", "grpo", "--batch", path]],
  ["objective of pairs", (path) => ["objective", "--algorithm", "dpo", "--batch", path]],
  ["compare", (path) => ["compare", "--batch", path]],
  ["reward", (path) => ["reward", "webshop", "--case", path]],
  ["doctor", (path) => ["doctor", "--run", path]],
  ["solve", (path) => ["solve", "sokoban", "--level", path]],
  ["play", (path) => ["play", "sokoban", "--level", path]],
];

describe.each(READERS)("%s", (_command, argv) => {
  test.each([
    ["JSON nested 200,000 deep", () => file("deep.json", nested)],
    ["an object nested 200,000 deep", () => file("deep2.json", `{"preset":"nano","x":${nested}}`)],
    ["an endless device", () => "/dev/zero"],
    ["an empty file", () => file("empty", "")],
    ["the empty device", () => "/dev/null"],
    ["a folder", () => join(folder, "there")],
    [
      "bytes",
      () =>
        file(
          "bytes",
          Uint8Array.from({ length: 5000 }, (_, i) => (i * 37) % 256),
        ),
    ],
    ["text in UTF-16", () => file("utf16", Buffer.from("\ufeff{}", "utf16le"))],
    ["a file that is not there", () => join(folder, "no\nwhere \u001b[31m")],
  ])("refuses %s in one line", async (_, make) => {
    const { code, json, lines } = await run(...argv(make()));
    expect([code, json.length, lines.length]).toEqual([2, 0, 1]);
    expect(lines[0]).not.toMatch(/\p{Cc}/u);
    expect(lines[0]!.length).toBeLessThan(800);
  });
});

test("a file without an end that the system calls ordinary stops at the limit", () => {
  // Sparse: 65 MiB that take no room.
  execFileSync("truncate", ["-s", "65M", join(folder, "long.json")]);
  const path = join(folder, "long.json");
  expect(() => readText("option --batch", path)).toThrow(
    new InputError(`option --batch: ${path} is larger than 64 MiB`),
  );
  expect(() => [...readLines("--run", path)]).toThrow(
    new InputError(`--run: line 1 of ${path} is larger than 64 MiB`),
  );
});

test("lines come out unchanged, however they are cut into pieces", () => {
  const path = file("lines", `\ufeff{"a":1}\r\n\n${"x".repeat(5_000_000)}\nlast √`);
  const lines = [...readLines("--run", path)];
  expect(lines.map(({ text, line, ended }) => [text.length, line, ended])).toEqual([
    [8, 1, true],
    [5_000_000, 3, true],
    [6, 4, false],
  ]);
  expect([lines[0]!.text, lines[2]!.text]).toEqual(['{"a":1}\r', "last √"]);
});

test("a pipe is read to its end, and given up where nothing comes", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const writer = spawn("sh", ["-c", `sleep 0.3; printf '{"a":' > "$0"`, pipe]);
  expect(readText("option --batch", pipe)).toBe('{"a":');
  writer.kill();
  SILENCE.seconds = 0.2;
  const { code, lines } = await run("solve", "sokoban", "--level", pipe);
  SILENCE.seconds = 30;
  expect([code, lines]).toEqual([2, [`option --level: ${pipe} produced no data for 0.2 seconds`]]);
});

test("an empty pipe between two commands is empty, and not waited for", () => {
  const launcher = join(import.meta.dirname, "..", "..", "src", "cli", "turnbook.mjs");
  const line = `printf '' | node "$0" credit --algorithm grpo --batch /dev/stdin 2>&1; true`;
  expect(execFileSync("sh", ["-c", line, launcher]).toString()).toBe(
    "option --batch: /dev/stdin is empty; it must be JSON\n",
  );
});

test("a spec may begin with a byte-order mark and have CRLF; what is odd is named", async () => {
  const spec = (text: string) => run("export", "ragen", file("spec.json", text), "--out", "");
  const ok = await run("export", "ragen", file("bom.json", '\ufeff{\r\n"preset":"nano"\r\n}\r\n'));
  expect(ok.lines).toEqual(["option --out DIR is missing"]);
  expect((await spec('{\n"preset": "nano",\n}')).lines[0]).toMatch(
    /spec\.json is not valid JSON \(line 2 ends a list with a comma\)$/,
  );
  const utf16 = file("spec16.json", Buffer.from('\ufeff{"preset":"nano"}', "utf16le"));
  expect((await run("train", utf16)).lines[0]).toMatch(/is in UTF-16; save it as UTF-8$/);
});

describe("what fails inside", () => {
  const said = (error: unknown) => {
    const lines: string[] = [];
    return [sayFailure(error, (line) => lines.push(line)), lines] as const;
  };

  test("is one line and says whose fault it is", () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      ...{ code: "ENOSPC", syscall: "write" },
    });
    expect(said(full)).toEqual([1, ["the machine failed: ENOSPC: no space left on device, write"]]);
    expect(said(new EngineError("device-lost", "the\n device is lost"))).toEqual([
      1,
      ["the device is lost"],
    ]);
    expect(said(new InputError("seed is x"))).toEqual([2, ["seed is x"]]);
    expect(said(new RangeError("Array buffer allocation failed"))[1][0]).toMatch(
      /^there is not enough memory/,
    );
    expect(said(new TypeError("x is\nundefined"))).toEqual([
      1,
      [
        "this is a bug in Turnbook: TypeError: x is undefined; TURNBOOK_TRACE=1 before the same command shows where",
      ],
    ]);
    expect(said(null)[0]).toBe(1);
  });

  test("ends the process in one line, too, if it was not caught", () => {
    const handlers = new Map<string | symbol, (error: unknown) => void>();
    const on = vi.spyOn(process, "on").mockImplementation((event, handler) => {
      handlers.set(event, handler as (error: unknown) => void);
      return process;
    });
    const codes: unknown[] = [];
    const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
      codes.push(code);
      return undefined as never;
    });
    const lines: string[] = [];
    endOnUncaught((line) => lines.push(line));
    handlers.get("unhandledRejection")!(new TypeError("x"));
    handlers.get("uncaughtException")!(new InputError("y"));
    on.mockRestore();
    exit.mockRestore();
    expect(codes).toEqual([1, 2]);
    expect(lines).toEqual([expect.stringMatching(/^this is a bug in Turnbook: TypeError: x/), "y"]);
  });

  test("shows its stack only when asked", () => {
    vi.stubEnv("TURNBOOK_TRACE", "1");
    expect(said(new TypeError("x"))[1][1]).toContain("at ");
    expect(said(new InputError("x"))[1]).toHaveLength(1);
    vi.unstubAllEnvs();
  });
});
