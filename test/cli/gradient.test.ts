import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-gradient-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const specFile = join(folder, "spec.json");
writeFileSync(
  specFile,
  JSON.stringify({
    preset: "nano",
    algorithms: [
      { name: "turn-ppo", set: {} },
      { name: "token-ppo", set: {} },
    ],
    environment: { maxTurns: 2 },
    optimisation: { iterations: 2, tasksPerIteration: 2, groupSize: 2, minibatch: 2, epochs: 1 },
    critic: { warmup: 0, epochs: 1 },
    evaluation: { levels: 0, every: 1 },
    recordEpisodes: 0,
    engine: { name: "wasm" },
  }),
);

interface Estimate {
  value: number | null;
  low: number | null;
  high: number | null;
}

interface Told {
  n: { reference: number; rows: number; blocks: number };
  rows: { name: string; ceiling: boolean }[];
  refused: { row: string; reason: string }[];
  reference: { squared: Estimate };
  results: {
    row: string;
    size: number;
    batches: number;
    cosine: Estimate;
    snr: Estimate;
    limit: Estimate;
  }[];
}

async function run(...argv: string[]) {
  const json: Told[] = [];
  const lines: string[] = [];
  const out = {
    json: (value: unknown) => void json.push(JSON.parse(JSON.stringify(value)) as Told),
    progress: (line: string) => void lines.push(line),
  };
  return { code: await main(argv, out), told: json[0]!, last: lines.at(-1) };
}

const SMALL = ["--sizes", "4,8", "--group", "4", "--references", "2", "--per-reference", "1"];
const ask = (name: string, blocks: number, ...more: string[]) =>
  run(
    ...["gradient", specFile, "--out", join(folder, name), "--workers", "1", ...SMALL],
    ...["--blocks", String(blocks), ...more],
  );

describe("gradient", () => {
  it("goes on where it stopped, to the same numbers", async () => {
    const rows = ["--algorithms", "rloo,grpo,gspo,turn-ppo,token-ppo"];
    const whole = await ask("whole", 3, ...rows);
    expect({ code: whole.code, last: whole.last }).toEqual({ code: 0, last: "rows: block 3 of 3" });
    await ask("parts", 3, ...rows, "--part", "2/2");
    const parts = await ask("parts", 3, ...rows, "--part", "1/2");
    expect(parts.told.results).toEqual(whole.told.results);
    expect(JSON.parse(readFileSync(join(folder, "parts", "result.json"), "utf8"))).toEqual(
      parts.told,
    );
    const { told } = whole;
    expect(told.n).toEqual({ reference: 16, rows: 24, blocks: 3 });
    expect(told.results.map(({ row, size }) => `${row} ${size}`)).toEqual(
      ["rloo", "grpo", "gspo", "turn-ppo", "token-ppo"].flatMap((row) => [`${row} 4`, `${row} 8`]),
    );
    // At ratio 1 their losses have the same gradient.
    const of = (name: string) =>
      told.results.filter(({ row }) => row === name).map(({ row: _row, ...rest }) => rest);
    expect(of("gspo")).toEqual(of("grpo"));
    expect(of("rloo")).not.toEqual(of("grpo"));
  });

  it("adds rows that know true values where branches are asked for", async () => {
    const { told } = await ask("truth", 2, "--algorithms", "turn-ppo", "--branches", "4");
    expect(told.rows.filter(({ ceiling }) => ceiling).map(({ name }) => name)).toEqual([
      "true-advantage",
      "true-v-1",
      "true-v-lambda",
      "turn-ppo-true-v",
    ]);
    for (const { cosine } of told.results) expect(Math.abs(cosine.value ?? 0)).toBeLessThan(2);
  });

  it("leaves out rows that compare rollouts where each task is played once", async () => {
    const once = ["--group", "1", "--sizes", "4"];
    const { told } = await run(
      ...["gradient", specFile, "--out", join(folder, "once"), "--workers", "1", "--blocks", "2"],
      ...["--references", "2", "--per-reference", "1", "--algorithms", "grpo,turn-ppo", ...once],
    );
    expect(told.refused.map(({ row }) => row)).toEqual(["grpo"]);
    expect(told.rows.map(({ name }) => name)).toEqual(["turn-ppo"]);
  });

  it.each([
    [
      ["--sizes", "6"],
      "option --sizes is 6; it must list multiples of the group size 4 that divide the largest",
    ],
    [["--algorithms", "grpo", "--set", "gamma=2"], 'gamma is "2"; it must be a number from 0 to 1'],
    [["--part", "3/2"], 'option --part is "3/2"; it must look like 2/3'],
    [["--policy", "grpo"], 'option --policy is "grpo"; the run has turn-ppo, token-ppo'],
  ])("refuses %s", async (words, message) => {
    const argv = [
      "gradient",
      specFile,
      "--out",
      join(folder, "bad"),
      "--workers",
      "1",
      "--group",
      "4",
    ];
    const { code, last } = await run(...argv, ...words);
    expect(code).toBe(2);
    expect(last).toContain(message);
  });

  it("refuses a folder of other settings", async () => {
    const { code, last } = await ask("truth", 2, "--algorithms", "rloo");
    expect(code).toBe(2);
    expect(last).toContain("holds blocks made with other settings");
  });
});
