/**
 * Bad command lines: each ends with the right exit code and one line on stderr. Most run in this process, through the
 * function that the process would call; every twentieth is a process of its own (all of them in the long form), and so
 * is what only a process can have: pipes, closed streams, full disks.
 */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { main } from "../../src/cli/main.ts";
import { rowOf, type Area, type Finished, type Tools } from "./area.ts";
import { commandCases, type CommandCase } from "./commandCases.ts";
import { writeFiles } from "./commandFiles.ts";

const root = join(import.meta.dirname, "..", "..");
/** Seconds; the machine may be busy, and no command line here has work to do. */
const LIMIT = 60;
/** One command in this many runs as a process of its own. */
const OWN_PROCESS = 20;

export const commands: Area = {
  name: "commands",
  run: async (tools) => {
    const folder = tools.folder("files");
    writeFiles(folder, root);
    const cases = commandCases();
    // No system passes a NUL to a process.
    const passable = cases.filter(({ argv }) => !argv.join("").includes("\u0000"));
    const own = passable.filter((_, i) => tools.full || i % OWN_PROCESS === 0);
    tools.say(`${cases.length} command lines, ${own.length} as processes`);
    // Those that wait for half a minute do so beside the others.
    const waiting = new Map(STREAMS.filter(waits).map((one) => [one, streams(folder)(one)]));
    const stream = (one: StreamCase) => waiting.get(one) ?? streams(folder)(one);
    return [
      await rowOf("command lines, in this process", cases, inside(folder, tools)),
      await rowOf("command lines, as processes", own, outside(folder, tools)),
      await rowOf("pipes, closed streams, full disks", STREAMS, stream),
    ];
  },
};

/** Files that must not be overwritten: each attempt has its own folder for them. */
function ownOut(argv: string[], tools: Tools): string[] {
  const at = argv.indexOf("--out");
  const value = argv[at + 1];
  if (at < 0 || value === undefined || !/^(bundle|made)/.test(value)) return argv;
  return argv.with(at + 1, join(tools.folder("out"), value));
}

const inside = (folder: string, tools: Tools) => async (one: CommandCase) => {
  process.env["INIT_CWD"] = folder;
  const started = performance.now();
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const out = {
    json: (value: unknown) => void stdout.push(JSON.stringify(value)),
    progress: (line: string) => void stderr.push(line),
  };
  const code = await main(ownOut(one.argv, tools), out);
  const seconds = (performance.now() - started) / 1000;
  return judge(one, { code, stdout: stdout.join("\n"), stderr: `${stderr.join("\n")}\n`, seconds });
};

const outside = (folder: string, tools: Tools) => async (one: CommandCase) => {
  const argv = ownOut(one.argv, tools);
  return judge(one, await tools.turnbook(argv, { cwd: folder, limit: LIMIT }));
};

/** Null where it ended as it must. */
function judge({ argv, code }: CommandCase, ended: Finished): string | null {
  const { stdout, stderr, seconds } = ended;
  const lines = stderr.split("\n").filter((line) => line !== "");
  const wrong =
    ended.code !== code
      ? `exit code ${ended.code} in place of ${code}: ${lines.join(" / ").slice(0, 300)}`
      : seconds > LIMIT
        ? `took ${seconds.toFixed(0)} s`
        : code !== 0 && lines.length !== 1
          ? `${lines.length} lines on stderr: ${lines.join(" / ").slice(0, 300)}`
          : lines.some((line) => /\p{Cc}|^\s+at |fault of Turnbook/u.test(line))
            ? `says ${JSON.stringify(lines.join(" / ").slice(0, 300))}`
            : lines.some((line) => line.length > 4000)
              ? "a line of more than 4000 characters"
              : code === 2 && stdout !== ""
                ? "something on stdout"
                : null;
  return wrong === null ? null : `${JSON.stringify(argv).slice(0, 200)}: ${wrong}`;
}

interface StreamCase {
  /** For a shell; TB is replaced by the command. */
  line: string;
  code: number;
  /** On stderr. */
  says: RegExp;
}

const NOTHING = /^$/;
const STREAMS: StreamCase[] = [
  { line: "TB presets | head -n 1", code: 0, says: NOTHING },
  { line: "TB presets | true", code: 0, says: NOTHING },
  { line: "TB presets > /dev/full", code: 1, says: /^cannot write the output: .*\n$/ },
  { line: "TB presets < /dev/null", code: 0, says: NOTHING },
  { line: "TB presets <&-", code: 0, says: NOTHING },
  { line: "TB presets 2>&-", code: 0, says: NOTHING },
  { line: "TB nope 2>&-", code: 2, says: NOTHING },
  { line: "TB nope 2>/dev/full", code: 2, says: NOTHING },
  { line: "TB credit --algorithm grpo --batch /dev/stdin < batch.json", code: 0, says: NOTHING },
  {
    line: "cat batch.json | TB credit --algorithm grpo --batch /dev/stdin",
    code: 0,
    says: NOTHING,
  },
  { line: "printf '' | TB credit --algorithm grpo --batch /dev/stdin", code: 2, says: /is empty/ },
  {
    line: "cat /dev/zero | TB solve sokoban --level /dev/stdin",
    code: 2,
    says: /larger than 64 MiB/,
  },
  { line: "yes | TB doctor --run /dev/stdin", code: 2, says: /larger than 64 MiB/ },
  { line: "yes '[' | tr -d '\\n' | TB train /dev/stdin", code: 2, says: /larger than 64 MiB/ },
  { line: "cat verl.jsonl | TB doctor --run /dev/stdin", code: 0, says: /^verl: \d of 9 checks/ },
  { line: "sleep 50 | TB train /dev/stdin", code: 2, says: /produced no data for 30 seconds/ },
  {
    line: "mkfifo p1; TB reward webshop --case p1",
    code: 2,
    says: /produced no data for 30 seconds/,
  },
  { line: "mkfifo p2; TB doctor --run p2", code: 2, says: /produced no data for 30 seconds/ },
  { line: "TB train /proc/self/environ", code: 2, says: /is not valid JSON/ },
  { line: "TB train /proc/self/mem", code: 2, says: /cannot read|is not valid JSON/ },
  { line: "TB solve sokoban --level /dev/urandom", code: 2, says: /is a device/ },
  { line: "TB solve sokoban --level /dev/tty", code: 2, says: /is a device|cannot read/ },
  { line: "ln -s loop loop; TB train loop", code: 2, says: /neither a preset/ },
  { line: "export TURNBOOK_TRACE=1; TB train deep.json", code: 2, says: /nested deeper/ },
];

function waits({ says }: StreamCase): boolean {
  return says.test("produced no data for 30 seconds");
}

const streams =
  (folder: string) =>
  async ({ line, code, says }: StreamCase) => {
    const cwd = join(folder, `streams ${STREAMS.findIndex((one) => one.line === line)}`);
    mkdirSync(cwd);
    writeFiles(cwd, root);
    const ended = await shell(line, cwd);
    const lines = ended.stderr.trimEnd().split("\n").length;
    if (ended.code === code && says.test(ended.stderr) && lines <= 1) return null;
    return `${line}: exit code ${ended.code}, says ${JSON.stringify(ended.stderr.slice(0, 300))}`;
  };

/** The exit code is that of TB, anywhere in the line. */
function shell(line: string, cwd: string): Promise<{ code: number | null; stderr: string }> {
  const launcher = join(root, "src", "cli", "turnbook.mjs");
  const own = `tb() { node ${JSON.stringify(launcher)} "$@"; echo $? > code; }`;
  const script = `${own}; ${line.replace("TB", "tb")}; exit $(cat code)`;
  const child = spawn("sh", ["-c", script], {
    ...{ cwd, stdio: ["ignore", "ignore", "pipe"] },
    env: { ...process.env, INIT_CWD: cwd },
  });
  let stderr = "";
  child.stderr!.on("data", (data: Buffer) => (stderr += data.toString()));
  const timer = setTimeout(() => child.kill("SIGKILL"), 5 * LIMIT * 1000);
  return new Promise((resolve) => {
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stderr });
    });
  });
}
