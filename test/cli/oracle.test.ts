import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { nextChain } from "../../src/train/chain.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-oracle-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const runFolder = join(folder, "run");
const specFile = join(folder, "spec.json");
writeFileSync(
  specFile,
  JSON.stringify({
    preset: "nano",
    algorithms: [
      { name: "turn-ppo", set: { gamma: 1 } },
      { name: "grpo", set: {} },
    ],
    environment: { maxTurns: 2 },
    optimisation: { iterations: 3, tasksPerIteration: 2, groupSize: 2, minibatch: 2, epochs: 1 },
    critic: { warmup: 0, epochs: 1 },
    evaluation: { levels: 0, every: 1 },
    recordEpisodes: 4,
    engine: { backend: "wasm" },
  }),
);

async function run(...argv: string[]) {
  const json: unknown[] = [];
  const lines: string[] = [];
  const out = {
    json: (value: unknown) => void json.push(JSON.parse(JSON.stringify(value))),
    progress: (line: string) => void lines.push(line),
  };
  return { code: await main(argv, out), json, lines };
}

interface Told {
  policy: string;
  episodes: number;
  states: number;
  errors: { algorithm: string; critic: string | null }[];
  refused: { algorithm: string; reason: string }[];
  turns: {
    trajectory: number;
    turn: number;
    text: string;
    reward: number;
    value: { mean: number; low: number; high: number };
    advantage: { mean: number };
    best: number;
    estimates: Record<string, { raw: number; advantage: number }>;
  }[];
}

const ask = (...more: string[]) =>
  run("oracle", "--run", runFolder, "--branches", "4", "--workers", "1", ...more);

async function told(...more: string[]): Promise<Told> {
  const { code, json, lines } = await ask(...more);
  expect({ code, last: code === 0 ? "" : lines.at(-1) }).toEqual({ code: 0, last: "" });
  return json[0] as Told;
}

beforeAll(async () => {
  const { code } = await run("train", specFile, "--out", runFolder, "--keep-every", "1");
  expect(code).toBe(0);
}, 60_000);

it("train --keep-every keeps the checkpoint after each iteration", () => {
  const files = [1, 2, 3].map((n) => join(runFolder, "checkpoints", `iteration-${n}.zip`));
  expect(files.map((file) => existsSync(file))).toEqual([true, true, true]);
});

it("tells the truth of every turn, what the algorithms say of it, and how far off they are", async () => {
  const rows = ["--algorithms", "turn-ppo,grpo,token-ppo"];
  const { policy, episodes, errors, refused, turns, states } = await told(
    "--iteration",
    "2",
    ...rows,
  );
  expect({ policy, episodes }).toEqual({ policy: "turn-ppo", episodes: 4 });
  expect(errors.map(({ algorithm }) => algorithm)).toEqual(["turn-ppo", "grpo"]);
  expect(refused).toEqual([
    { algorithm: "token-ppo", reason: expect.stringContaining("needs a critic") as string },
  ]);
  expect(states).toBeLessThanOrEqual(turns.length);
  const logged = readFileSync(join(runFolder, "events.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .find((e) => e["type"] === "iteration" && e["algorithm"] === policy && e["iteration"] === 2)!;
  const played = (
    logged["episodes"] as { turns: { text: string; reward: number; advantage: number }[] }[]
  ).flatMap((episode) => episode.turns);
  expect(turns.map(({ text, reward }) => ({ text, reward }))).toEqual(
    played.map(({ text, reward }) => ({ text, reward })),
  );
  // The run's own credit, but for the scale of rewards inside the whitening.
  turns.forEach(({ estimates, value, best }, k) => {
    expect(estimates["turn-ppo"]!.advantage).toBeCloseTo(played[k]!.advantage, 4);
    expect(value.low).toBeLessThanOrEqual(value.mean);
    expect(best).toBeGreaterThanOrEqual(value.mean - 1e-9);
  });
});

it("without kept checkpoints trains again from the start, to the same numbers", async () => {
  const kept = await told("--iteration", "3", "--algorithms", "grpo", "--policy", "grpo");
  const bare = join(folder, "bare");
  cpSync(join(runFolder, "events.jsonl"), join(bare, "events.jsonl"));
  const { json, lines } = await run(
    ...["oracle", "--run", bare, "--branches", "4", "--iteration", "3"],
    ...["--algorithms", "grpo", "--policy", "grpo", "--workers", "1"],
  );
  expect(lines).toContain("from the start");
  expect(json[0]).toEqual(kept);
});

it("--episodes judges the first ones only: with the same truths, and credit of all of them", async () => {
  const asked = ["--iteration", "1", "--policy", "grpo", "--algorithms", "grpo,turn-ppo"];
  const all = await told(...asked);
  // Half a group: GRPO on these alone would compare one episode less.
  const first = await told(...asked, "--episodes", "3");
  expect([all.episodes, first.episodes]).toEqual([4, 3]);
  expect(new Set(first.turns.map(({ trajectory }) => trajectory)).size).toBe(3);
  expect(first.turns).toEqual(all.turns.slice(0, first.turns.length));
});

it("a row without a critic in the policy is judged with another learner's, which is named", async () => {
  const { policy, errors, refused, turns } = await told(
    ...["--iteration", "2", "--policy", "grpo", "--algorithms", "grpo,turn-ppo-gem,turn-ppo"],
  );
  expect(policy).toBe("grpo");
  expect(refused).toEqual([]);
  expect(errors.map(({ critic }) => critic)).toEqual([null, "turn-ppo", "turn-ppo"]);
  expect(turns.every(({ estimates }) => Number.isFinite(estimates["turn-ppo"]!.raw))).toBe(true);
});

it("a log that this machine does not reproduce is refused, naming the event", async () => {
  const forged = join(folder, "forged");
  const lines = readFileSync(join(runFolder, "events.jsonl"), "utf8").trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const at = events.findIndex(({ type }) => type === "iteration");
  (events[at]!["metrics"] as Record<string, number>)["actor/lr"] = 7;
  const write = () =>
    writeFileSync(
      join(forged, "events.jsonl"),
      events.map((event) => `${JSON.stringify(event)}\n`).join(""),
    );
  cpSync(join(runFolder, "events.jsonl"), join(forged, "events.jsonl"));
  write();
  const asked = ["oracle", "--run", forged, "--iteration", "2", "--workers", "1"];
  const altered = await run(...asked);
  expect([altered.code, altered.lines]).toEqual([
    2,
    [expect.stringContaining(`events.jsonl is altered from line ${at + 1}: its chain has`)],
  ]);
  // With its chains computed again the log is consistent, but not what training gives.
  let chain = "";
  for (const event of events) chain = String((event["chain"] = nextChain(chain, event)));
  write();
  const { code, lines: said } = await run(...asked);
  expect(code).toBe(2);
  expect(said.at(-1)).toContain(
    "differs from its log at the event iteration, turn-ppo, iteration 1",
  );
});

it("a run on preference pairs alone has no turns to judge", async () => {
  const pairs = join(folder, "pairs");
  mkdirSync(pairs);
  const start = JSON.parse(
    readFileSync(join(runFolder, "events.jsonl"), "utf8").split("\n")[0]!,
  ) as { spec: object };
  const spec = { ...start.spec, algorithms: [], preference: { methods: ["dpo", "tdpo2"] } };
  const event = { ...start, spec };
  const sealed = { ...event, chain: nextChain("", event) };
  writeFileSync(join(pairs, "events.jsonl"), `${JSON.stringify(sealed)}\n`);
  const { code, lines } = await run("oracle", "--run", pairs, "--iteration", "1");
  expect([code, lines]).toEqual([
    2,
    ["the run has no algorithm to judge: dpo, tdpo2 are not in the table of algorithms"],
  ]);
});

it.each([
  [[], "oracle needs --run DIR"],
  [["--run", "/nowhere", "--iteration", "1"], "/nowhere holds no run: events.jsonl is missing"],
  [["--run", runFolder], "oracle needs --iteration N"],
  [
    ["--run", runFolder, "--iteration", "9"],
    "option --iteration is 9; the log has iterations 1 to 3 of turn-ppo",
  ],
  [
    ["--run", runFolder, "--iteration", "1", "--policy", "magic"],
    'option --policy is "magic"; the run has turn-ppo, grpo',
  ],
  [
    ["--run", runFolder, "--iteration", "1", "--algorithms", "magic"],
    'algorithm is "magic"; allowed: ',
  ],
  [
    ["--run", runFolder, "--iteration", "1", "--branches", "1"],
    'option --branches is "1"; it must be a whole number of at least 2',
  ],
])("oracle %j is refused in one line", async (argv, message) => {
  const { code, json, lines } = await run("oracle", ...argv);
  expect({ code, json }).toEqual({ code: 2, json: [] });
  expect(lines).toEqual([expect.stringContaining(message)]);
});

it("train --keep-every needs a folder", async () => {
  const { code, lines } = await run("train", specFile, "--keep-every", "2");
  expect(code).toBe(2);
  expect(lines).toEqual(["option --keep-every needs --out DIR, where checkpoints are kept"]);
});

it("adds rows that know true values, gives all rows the same settings and compares them with one", async () => {
  const more = ["--algorithms", "rloo,turn-ppo", "--set", "lambda=0.5", "--set", "gamma=1"];
  const { code, json } = await ask(
    "--iteration",
    "2",
    ...more,
    "--ceilings",
    "--against",
    "turn-ppo",
  );
  expect(code).toBe(0);
  const { errors, turns } = json[0] as Pick<Told, "turns"> & {
    errors: {
      algorithm: string;
      within: object;
      byTurn: { turn: number }[];
      against: { algorithm: string } | null;
    }[];
  };
  expect(errors.map(({ algorithm }) => algorithm)).toEqual([
    ...["rloo", "turn-ppo", "true-v-1", "true-v-0.5"],
  ]);
  expect(errors.map(({ against }) => against?.algorithm ?? null)).toEqual([
    ...["turn-ppo", null, "turn-ppo", "turn-ppo"],
  ]);
  expect(errors[0]!.byTurn.map(({ turn }) => turn)).toEqual([1, 2]);
  expect(Object.keys(turns[0]!.estimates)).toEqual(errors.map(({ algorithm }) => algorithm));
  const bad = await ask("--iteration", "2", ...more, "--against", "grpo");
  expect(bad.code).toBe(2);
  expect(bad.lines.at(-1)).toContain('option --against is "grpo"; the rows are rloo, turn-ppo');
});
