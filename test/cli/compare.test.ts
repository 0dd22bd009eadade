import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { algorithmNames } from "../../src/spec/algorithms.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-compare-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const token = { logprob: -1, oldLogprob: -1.1 };
const turn = (reward: number) => ({ reward, value: 0.2, newValue: 0.2, tokens: [token, token] });
const episode = (...rewards: number[]) => ({ task: "t0", turns: rewards.map(turn) });
const file = join(folder, "batch.json");
writeFileSync(file, JSON.stringify({ trajectories: [episode(0, 1), episode(0, 0)] }));

async function run(...argv: string[]) {
  const json: unknown[] = [];
  const lines: string[] = [];
  const out = {
    json: (value: unknown) => void json.push(JSON.parse(JSON.stringify(value))),
    progress: (line: string) => void lines.push(line),
  };
  return { code: await main(["compare", ...argv], out), json, lines };
}

interface Told {
  algorithms: string[];
  rows: { advantages: number[][]; tokenWeights: number[][][]; turnRatios: number[][] }[];
  refused: { algorithm: string; reason: string }[];
  agreement: Record<string, Record<string, number[][]>>;
}

it("tells of each algorithm, of its refusals and of their agreement", async () => {
  const { code, json } = await run("--batch", file, "--algorithms", "grpo,token-ppo,turn-ppo");
  expect(code).toBe(0);
  const told = json[0] as Told;
  expect(told.algorithms).toEqual(["grpo", "turn-ppo"]);
  expect(told.refused).toEqual([
    {
      algorithm: "token-ppo",
      reason: "trajectories[0].turns[0].tokens[0].value is missing; token-ppo needs it",
    },
  ]);
  const [grpo, turnPpo] = told.rows;
  const A = 0.5 / (Math.SQRT1_2 / 1 + 1e-6);
  expect(grpo!.advantages.flat().map((x) => Math.round(x / A))).toEqual([1, 1, -1, -1]);
  expect(grpo!.tokenWeights[0]!.flat().every((w) => w > 0)).toBe(true);
  expect(turnPpo!.turnRatios[0]![0]).toBeCloseTo(Math.exp(0.2), 12);
  expect(told.agreement["turnAdvantage"]!["sameSign"]![0]![0]).toBe(1);
});

it("without names takes every row; settings reach all of them", async () => {
  const { json } = await run("--batch", file, "--set", "whiten=none");
  const { algorithms, refused } = json[0] as Told;
  const seen = [...algorithms, ...refused.map(({ algorithm }) => algorithm)];
  expect(seen.sort()).toEqual([...algorithmNames].sort());
});

const imported = join(import.meta.dirname, "..", "fixtures", "import");

it("takes an iteration of another program's rollouts, a folder of them too; rewards of turns that are unknown stay so", async () => {
  const { code, json } = await run("--from", join(imported, "12.jsonl"));
  const told = json[0] as Told;
  expect(code).toBe(0);
  const grpo = told.rows[told.algorithms.indexOf("grpo")]!;
  expect(grpo.advantages.flat().map(Math.sign)).toEqual([1, 1, -1, -1, 1, -1]);
  const reinforce = told.rows[told.algorithms.indexOf("reinforce")]!;
  expect(reinforce.advantages).toEqual([[null, null], [null, null], [1], [0]]);
  const reasons = new Map(told.refused.map(({ algorithm, reason }) => [algorithm, reason]));
  expect(reasons.get("turn-ppo")).toContain("value is missing");
  writeFileSync(join(folder, "12.jsonl"), readFileSync(join(imported, "12.jsonl")));
  const again = await run("--from", folder, "--iteration", "12", "--algorithms", "grpo");
  expect((again.json[0] as Told).rows[0]!.advantages).toEqual(grpo.advantages);
});

it("takes a whole step, however long, and a training run before an evaluation", async () => {
  const logs = join(folder, "long");
  mkdirSync(join(logs, "eval"), { recursive: true });
  const row = (score: number, output: string) =>
    `${JSON.stringify({ input: "q", output, score, step: 3 })}\n`;
  const long = "x".repeat(5_000_000);
  writeFileSync(join(logs, "eval", "3.jsonl"), row(1, "a"));
  writeFileSync(join(logs, "3.jsonl"), [1, 1, 1, 0].map((score) => row(score, long)).join(""));
  const { json } = await run("--from", logs, "--algorithms", "grpo");
  expect((json[0] as Told).rows[0]!.advantages.map(([A]) => Math.sign(A!))).toEqual([1, 1, 1, -1]);
  writeFileSync(join(logs, "3.jsonl"), `junk\n${row(1, "a")}`);
  const cut = await run("--from", logs, "--algorithms", "grpo");
  expect(cut.lines).toEqual([expect.stringContaining("1 line of the recording could not be read")]);
  const { lines } = await run("--from", logs, "--iteration", "2");
  expect(lines).toEqual([
    expect.stringMatching(/--iteration is 2; .* has episodes of iteration 3$/),
  ]);
});

it.each([
  [[], "compare needs --batch FILE or --from PATH, and not both"],
  [["--batch", file, "--iteration", "1"], "option --iteration is for --from"],
  [["--from", folder, "--iteration", "7"], "--iteration is 7; "],
  [["--batch", file, "--algorithms", "grpo,magic"], 'algorithm is "magic"; allowed: '],
  [["--batch", file, "--algorithms", "grpo,grpo"], '--algorithms names "grpo" twice'],
  [
    ["--batch", file, "--algorithms", "grpo,tdpo2"],
    '--algorithms names "tdpo2", which learns from preference pairs and gives no advantages; for its loss and gradient run: objective --algorithm tdpo2',
  ],
  [["--batch", file, "--algorithms", ""], 'algorithm is ""; allowed: '],
  [["--batch", file, "--set", "gamma=2"], "gamma is "],
  [["--batch", file, "batch"], 'compare takes options only, not "batch"'],
])("%j is refused in one line", async (argv, message) => {
  const { code, json, lines } = await run(...argv);
  expect({ code, json }).toEqual({ code: 2, json: [] });
  expect(lines).toEqual([expect.stringContaining(message)]);
});
