/** `referee`: lines that their own command makes again, own code beside rows, and what is refused. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { RefereeReport } from "../../src/reading/referee/lines.ts";
import { turnbook } from "./cliSupport.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-referee-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
const SMALL = ["--seeds", "2", "--episodes", "128"];

test("each line says the command that makes it again", async () => {
  const file = at("report.json");
  const asked = ["--task", "fork,luck", "--algorithm", "grpo,turn-ppo", ...SMALL, "--out", file];
  const { code, json } = await turnbook("referee", ...asked);
  expect(code).toBe(0);
  const lines = json.slice(0, -1);
  expect(lines.map(({ task, row, critic }) => [task, row, critic])).toEqual(
    ["fork", "luck"].flatMap((task) => [
      [task, "grpo", null],
      [task, "turn-ppo", "perfect"],
      [task, "turn-ppo", "learned"],
    ]),
  );
  const last = lines.at(-1)!;
  const [, words] = String(last["command"]).split(" -- ");
  const again = await turnbook(...words!.split(" "));
  expect(again.json[0]).toEqual(last);
  const kept = JSON.parse(readFileSync(file, "utf8")) as RefereeReport;
  expect(kept.lines.at(-1)).toEqual({ ...last, command: undefined });
  expect(kept.tasks.map(({ name }) => name)).toEqual(["fork", "luck"]);
  const { summary } = json.at(-1) as { summary: { row: string; tasks: number; cosine: number }[] };
  expect(summary.map(({ row, tasks }) => `${row} ${tasks}`).sort()).toEqual([
    "grpo 2",
    "turn-ppo 2",
    "turn-ppo 2",
  ]);
  const cosines = summary.map(({ cosine }) => cosine);
  expect(cosines).toEqual([...cosines].sort((a, b) => b - a));
});

test("own code is scored like the row that computes the same", async () => {
  writeFileSync(
    at("mine.ts"),
    `export function estimate({ episodes, gamma, lambda }) {
      return episodes.map(({ turns: { rewards, values }, bootstrap }) => {
        const advantages: number[] = [];
        const returns: number[] = [];
        let next = { value: bootstrap, advantage: 0 };
        for (let h = rewards.length - 1; h >= 0; h--) {
          const delta = rewards[h] + gamma * next.value - values[h];
          advantages[h] = delta + gamma * lambda * next.advantage;
          returns[h] = advantages[h] + values[h];
          next = { value: values[h], advantage: advantages[h] };
        }
        return { advantages, returns };
      });
    }`,
  );
  const { json } = await turnbook(
    ...["referee", "--code", at("mine.ts"), "--algorithm", "turn-ppo", "--task", "search"],
    ...["--critic", "learned", "--set", "lambda=0.5", ...SMALL],
  );
  const [mine, row] = json.map(({ row: _row, command: _command, ...numbers }) => numbers);
  expect(json[0]).toMatchObject({ row: "turn-ppo@mine" });
  expect(json[0]!["command"]).toContain(`--code ${at("mine.ts")}`);
  expect(mine).toEqual(row);
});

test("what it cannot use is refused by name", async () => {
  const wrong = async (...argv: string[]) => {
    const { code, progress } = await turnbook("referee", ...argv);
    expect(code).toBe(2);
    return progress.at(-1);
  };
  expect(await wrong("--task", "forks")).toContain('option --task is "forks"; allowed: fork, ');
  expect(await wrong("--algorithm", "grp")).toContain("grp");
  expect(await wrong("--episodes", "200")).toContain("must be a multiple of 64");
  expect(await wrong("--on", "grpo")).toContain("option --on is for --code FILE");
  writeFileSync(at("empty.js"), "export const x = 1;");
  expect(await wrong("--code", at("empty.js"))).toContain("export function estimate");
  writeFileSync(at("short.js"), "export const estimate = () => [];");
  const { json } = await turnbook("referee", "--code", at("short.js"), "--task", "fork", ...SMALL);
  expect(json[0]!["refused"]).toContain("one result for each of");
});
