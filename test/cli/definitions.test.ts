/** The command line on a spec with a defined estimator: train, verify, oracle, gradient, credit and compare. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { example, lakeSpec, ofEveryKind, trained } from "../definitions/examples.ts";
import { turnbook } from "./cliSupport.ts";
import { some } from "../every.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-defined-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

const MINE = "turn-ppo@turnPpo";
const BOTH = `turn-ppo,${MINE}`;
const spec = {
  ...lakeSpec({
    definitions: [example("turnPpo")],
    algorithms: BOTH.split(",").map((name) => ({ name, set: {} })),
  }),
};
writeFileSync(at("spec.json"), JSON.stringify(spec));

const turn = (reward: number, value: number) => ({
  reward,
  value,
  tokens: [{ oldLogprob: -1 }, { oldLogprob: -2 }],
});
const trajectories = [
  { task: "a", turns: [turn(0, 0.3), turn(1, 0.4)] },
  { task: "a", turns: [turn(0.5, 0.1)] },
];
writeFileSync(at("batch.json"), JSON.stringify({ trajectories }));

/** The other is trained by ../definitions/notebook.test.ts. */
const taken = some(Object.entries(ofEveryKind), ([name]) => name === "an environment");

/** As the page does: e2e/definitions.test.ts compares with the same runs. */
test.each(taken)("%s: one fingerprint by the command line, too", async (name, all) => {
  const file = at(`${name.length}.json`);
  writeFileSync(file, JSON.stringify(all));
  const { code, json } = await turnbook("train", file);
  expect(code).toBe(0);
  expect(json.filter(({ type }) => type === "iteration").length).toBeGreaterThanOrEqual(5);
  expect(json.at(-1)!["fingerprint"]).toBe((await trained(all)).fingerprint);
});

test("train, verify and oracle", async () => {
  const out = at("run");
  const { code, json } = await turnbook(
    "train",
    at("spec.json"),
    "--iterations",
    "2",
    "--out",
    out,
  );
  expect(code).toBe(0);
  expect(json.at(-1)!["fingerprint"]).toMatch(/^[0-9a-f]{64}$/);
  expect((await turnbook("verify", out)).code).toBe(0);
  const judged = await turnbook(
    "oracle",
    "--run",
    out,
    "--iteration",
    "2",
    "--branches",
    "2",
    "--algorithms",
    BOTH,
  );
  expect(judged.progress.filter((line) => line.startsWith("error"))).toEqual([]);
  const { turns, refused } = judged.json[0] as {
    turns: { estimates: Record<string, unknown> }[];
    refused: unknown[];
  };
  expect(refused).toEqual([]);
  for (const { estimates } of turns) expect(estimates[MINE]).toEqual(estimates["turn-ppo"]);
});

test("gradient", async () => {
  const args = [
    "--sizes",
    "2",
    "--group",
    "2",
    "--blocks",
    "2",
    "--references",
    "2",
    "--per-reference",
    "1",
    "--sketch",
    "16",
  ];
  const { json, progress } = await turnbook(
    "gradient",
    at("spec.json"),
    "--algorithms",
    BOTH,
    "--out",
    at("gradient"),
    ...args,
  );
  expect(progress.filter((line) => line.startsWith("error"))).toEqual([]);
  const { results } = json[0] as { results: { row: string; against: unknown }[] };
  const of = (name: string) =>
    results.filter(({ row }) => row === name).map(({ row: _, against: __, ...rest }) => rest);
  expect(of("turn-ppo")).toHaveLength(1);
  expect(of(MINE)).toEqual(of("turn-ppo"));
});

test("credit and compare on a batch file, with the spec that has the code", async () => {
  const credit = (name: string, ...more: string[]) =>
    turnbook("credit", "--algorithm", name, "--batch", at("batch.json"), ...more);
  const mine = await credit(MINE, "--spec", at("spec.json"));
  expect(mine.json).toEqual((await credit("turn-ppo")).json);
  const refused = await credit(MINE);
  expect(refused.code).not.toBe(0);
  expect(refused.progress.join()).toContain("needs --spec FILE");
  const compared = await turnbook(
    "compare",
    "--batch",
    at("batch.json"),
    "--algorithms",
    BOTH,
    "--spec",
    at("spec.json"),
  );
  const { rows } = compared.json[0] as { rows: { advantages: number[][] }[] };
  expect(rows[1]!.advantages).toEqual(rows[0]!.advantages);
});
