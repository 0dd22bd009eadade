// `node test/bench/importScale.mjs [MB] [--folder]`: time and memory of the commands that read a log of verl's trainer V1 of
// this size (300), in one file or in one per step, as a Markdown table. Memory is the process's peak (VmHWM), so only on Linux.
import { spawn } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../src/cli/setup.mjs";

/** Bytes of an episode, as in the log of 60 MB with 6,816 of them. */
const EPISODE = 8_807;
const [TASKS, ROLLOUTS] = [64, 8];
const LOOK = 20;

/** Lines of one step: four turns of a model that calls a tool, as trainer V1 writes them (`test/fixtures/trainers/make.py`). */
function stepLines(step) {
  const lines = [];
  for (let i = 0; i < TASKS * ROLLOUTS; i++) {
    const task = Math.floor(i / ROLLOUTS);
    const uid = `${hex(step, 8)}-08bb-59ae-9eea-${hex(task, 12)}_${i % ROLLOUTS}_0`;
    const input = `system\nYou call tools.\nuser\nQuestion ${task} of step ${step}?\nassistant\n`;
    const turn = (h) =>
      `<think>${thought(step * 7919 + i * 31 + h)}</think>\n<tool_call>\n{"h": ${h}}\n</tool_call>`;
    const answer = (h) => `\nuser\n<tool_response>\n${h}\n</tool_response>\nassistant\n`;
    const output = [0, 1, 2].map((h) => turn(h) + answer(h)).join("") + turn(3);
    const score = (step + task * i) % 3 === 0 ? 1 : 0;
    lines.push(JSON.stringify({ input, output, gts: "1", score, step, acc: score, uid }));
  }
  return `${lines.join("\n")}\n`;
}

const hex = (n, length) => n.toString(16).padStart(length, "0");

/** A word in eight has letters beyond Latin 1, so that texts take two bytes a character, as many do. */
function thought(seed) {
  let x = seed + 1;
  let text = "";
  while (text.length < EPISODE / 4.3) {
    x = Math.imul(x, 1664525) + 1013904223;
    text += x & (7 << 20) ? `${(x >>> 0).toString(36)} ` : "→ ";
  }
  return text;
}

/** Returns the number of episodes and steps. */
function write(path, bytes, inFolder) {
  const file = inFolder ? null : openSync(join(path, "rollouts.jsonl"), "w");
  let [written, steps] = [0, 0];
  while (written < bytes) {
    const part = Buffer.from(stepLines(++steps));
    const to = file ?? openSync(join(path, `${steps}.jsonl`), "w");
    writeSync(to, part);
    if (inFolder) closeSync(to);
    written += part.length;
  }
  if (file !== null) closeSync(file);
  return { written, steps, episodes: steps * TASKS * ROLLOUTS };
}

/** Seconds, peak memory in MB, and what was printed. */
function measured(argv) {
  const began = performance.now();
  const child = spawn(process.execPath, [join(root, "src/cli/turnbook.mjs"), ...argv]);
  let [peak, out, err] = [0, "", ""];
  child.stdout.on("data", (text) => void (out += text));
  child.stderr.on("data", (text) => void (err += text));
  const look = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 0.001024);
    } catch {
      // It has ended.
    }
  }, LOOK);
  return new Promise((done) =>
    child.on("close", (code) => {
      clearInterval(look);
      done({ seconds: (performance.now() - began) / 1000, peak, out, err, code });
    }),
  );
}

async function main(megabytes, inFolder) {
  const work = mkdtempSync(join(tmpdir(), "turnbook-scale-"));
  try {
    const logs = join(work, "logs");
    mkdirSync(logs);
    const { written, steps, episodes } = write(logs, megabytes * 1e6, inFolder);
    await measured(["help"]);
    const out = join(work, "out.jsonl");
    const to = ["--out", out, "--force"];
    const commands = [
      ["import", logs, ...to],
      ["import", logs, "--steps", `${steps >> 1}:${(steps >> 1) + 1}`, ...to],
      ["import", logs, "--groups", "2", ...to],
      ["credit", "--algorithm", "grpo", "--from", logs],
      ["compare", "--algorithms", "grpo,rloo", "--from", logs, "--iteration", String(steps)],
      ["doctor", "--from", logs],
    ];
    console.log(
      `${(written / 1e6).toFixed(0)} MB, ${episodes} episodes, ${steps} steps, ${inFolder ? "a file a step" : "one file"}\n`,
    );
    console.log("| command | s | MB at most | writes |\n|---|---|---|---|");
    for (const argv of commands) {
      rmSync(out, { force: true });
      const { seconds, peak, out: said, err, code } = await measured(argv);
      if (code !== 0) throw new Error(`${argv.join(" ")}: ${err}`);
      const size = statSync(out, { throwIfNoEntry: false })?.size ?? said.length;
      const shown = argv
        .filter((word) => !to.includes(word))
        .map((word) => (word === logs ? "PATH" : word));
      console.log(
        `| ${shown.join(" ")} | ${seconds.toFixed(1)} | ${peak.toFixed(0)} | ${(size / 1e6).toFixed(1)} MB |`,
      );
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const words = process.argv.slice(2);
await main(Number(words.find((word) => !word.startsWith("--")) ?? 300), words.includes("--folder"));
