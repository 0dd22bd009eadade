/** A study from an empty folder to its verdict, killed on the way; its file; and what it does not say twice. */
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { halvings, type SearchOutcome } from "../../src/cli/study/search.ts";
import { readStudy } from "../../src/cli/study/studyCode.ts";
import { parseStudy } from "../../src/notebook/study/studyFile.ts";
import { planSweep } from "../../src/cli/sweep/sweepFile.ts";
import { uniforms } from "../../src/numeric/rng.ts";
import { RUN_FILES } from "../../src/train/runFiles.ts";
import { EVERY } from "../every.ts";
import { turnbook } from "./cliSupport.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-study-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const launcher = resolve(import.meta.dirname, "../../src/cli/turnbook.mjs");

/** Trains in seconds: an own estimator against GRPO. */
async function tinyStudy(name: string): Promise<string> {
  const place = join(folder, name);
  const made = await turnbook(
    ...["study", "new", "mine", "--against", "grpo", "--sealed", "7", "--out", place],
  );
  expect(made.code).toBe(0);
  const path = join(place, "study.yaml");
  const tiny = readFileSync(path, "utf8")
    .replace(
      "evaluation: { levels: 256, every: 10 }",
      "evaluation: { levels: 4, every: 1 }\n  environment: { maxTurns: 3 }\n  optimisation: { tasksPerIteration: 2, groupSize: 2, minibatch: 2 }\n  critic: { warmup: 0, epochs: 1 }",
    )
    .replace("[16, 32, 64, 128]", "[1, 2, 4]")
    .replace("draws: 8", "draws: 2")
    .replace("control: true", "control: false")
    .replace(
      /    - { iterations: 20.*\n    - { iterations: 50.*\n/,
      "    - { iterations: 1, seeds: [11, 12], keep: 1 }\n",
    )
    .replace("iterations: 100, seeds: [1, 2, 3, 4, 5]", "iterations: 2, seeds: [1, 2]")
    .replace("levels: 256 }", "levels: 24 }");
  writeFileSync(path, tiny);
  return place;
}

/** Runs the command until it ends, or kills it as soon as `isDue` of what it said, or after `ms`; whether it was killed. */
function killedOnce(
  place: string,
  { ms, isDue = () => false }: { ms?: number; isDue?: (said: string) => boolean },
): Promise<{ killed: boolean; said: string }> {
  const child = spawn("node", [launcher, "study", "run", place, "--jobs", "2"]);
  const timer = ms === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), ms);
  let said = "";
  return new Promise((done) => {
    child.stderr.on("data", (data: Buffer) => {
      said += data.toString();
      if (isDue(said)) child.kill("SIGKILL");
    });
    child.on("close", (_code, signal) => {
      clearTimeout(timer);
      done({ killed: signal === "SIGKILL", said });
    });
  });
}

/** Kills the command as soon as it says this. */
async function killedAt(words: string, place: string): Promise<void> {
  const { killed, said } = await killedOnce(place, { isDue: (all) => all.includes(words) });
  expect(killed, said).toBe(true);
}

const KEPT = ["verdict.json", "sealed.jsonl", "opened.json"];
const textIn = (place: string, file: string) => readFileSync(join(place, file), "utf8");

test("killed in its search and at its sealed levels, it ends with the verdict of one that was not", async () => {
  const whole = await tinyStudy("whole");
  const { code, json, progress } = await turnbook("study", "run", whole, "--jobs", "2");
  expect(code, progress.join("\n")).toBe(0);
  // Another folder at the same place of its search: five of its eight runs have ended.
  const killed = join(folder, "killed");
  cpSync(whole, killed, { recursive: true });
  for (const file of [...KEPT, "stage-final", "stage-final.json"])
    rmSync(join(killed, file), { recursive: true });
  for (const name of readdirSync(join(killed, "stage-1", "runs")).slice(5))
    rmSync(join(killed, "stage-1", "runs", name), { recursive: true });
  await killedAt("[1/3]", killed);
  expect(existsSync(join(killed, "opened.json"))).toBe(false);
  await killedAt("[1/4] sealed levels", killed);
  expect(existsSync(join(killed, "verdict.json"))).toBe(false);
  const shownEarly = await turnbook("study", "show", killed);
  expect(shownEarly).toMatchObject({ code: 2, json: [] });
  expect(shownEarly.progress[0]).toContain("has no verdict yet");
  expect((await turnbook("study", "run", killed, "--jobs", "2")).code).toBe(0);
  const text = textIn;
  for (const file of KEPT) expect(text(killed, file)).toBe(text(whole, file));

  const [verdict] = json as unknown as [ReturnType<typeof JSON.parse>];
  expect(verdict.arms.map((one: { arm: string }) => one.arm)).toEqual(["mine", "grpo"]);
  expect(verdict.sealed).toMatchObject({ opened: 1, levels: 24 });
  expect(verdict.search).toHaveLength(2);
  expect(verdict.contrasts).toHaveLength(1);
  expect(verdict.says).toMatch(/^mine: (higher|lower|against grpo cannot tell)/);
  expect(progress.at(-1)).toBe(verdict.says);
  expect(progress.some((line) => /^mine: success .*collapsed \d of 2$/.test(line))).toBe(true);
  expect((await turnbook("study", "show", whole)).json).toEqual(json);

  // Every arm had the same draws, and the row's own setting where it uses it.
  const runs = planSweep(JSON.parse(text(whole, "stage-1.json"))).runs;
  const settings = (arm: string) =>
    runs
      .filter(({ setting, seed }) => setting.startsWith(arm) && seed === 11)
      .map(({ spec: { optimisation, critic } }) => [optimisation, critic]);
  expect(settings("mine")).toHaveLength(2);
  expect(settings("mine")).toEqual(settings("grpo"));
  const sets = (arm: string) =>
    runs.filter(({ setting }) => setting.startsWith(arm)).map(({ spec }) => spec.algorithms[0]);
  expect(sets("mine").every((one) => "lambda" in one!.set)).toBe(true);
  expect(sets("grpo").some((one) => "lambda" in one!.set)).toBe(false);

  // Killed between a run's last event and its last checkpoint, it goes on from the one before.
  const behind = join(folder, "behind");
  cpSync(whole, behind, { recursive: true });
  for (const file of KEPT) rmSync(join(behind, file));
  const [last] = readdirSync(behind, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(join("grpo-draw01-seed1", RUN_FILES.previous)),
  );
  const run = dirname(join(behind, last!));
  cpSync(join(run, RUN_FILES.previous), join(run, RUN_FILES.checkpoint));
  expect((await turnbook("study", "run", behind, "--jobs", "2")).code).toBe(0);
  for (const file of KEPT) expect(text(behind, file)).toBe(text(whole, file));

  // A second look is refused: once the study is changed, and once its policies are.
  const changed = join(folder, "changed");
  cpSync(whole, changed, { recursive: true });
  writeFileSync(
    join(changed, "study.yaml"),
    text(whole, "study.yaml").replace("levels: 24", "levels: 25"),
  );
  const refused = await turnbook("study", "run", changed);
  expect(refused.code).toBe(2);
  expect(refused.progress.at(-1)).toContain("begun.yaml has another content");
  const opened = JSON.parse(text(whole, "opened.json")) as object;
  writeFileSync(join(changed, "study.yaml"), text(whole, "study.yaml"));
  writeFileSync(join(changed, "opened.json"), JSON.stringify({ ...opened, policies: "others" }));
  const again = await turnbook("study", "run", changed);
  expect(again.code).toBe(2);
  expect(again.progress.at(-1)).toContain("opened for other policies");
});

// Minutes: of `test:rest`.
if (EVERY)
  test("killed ten times at random moments, it says the same", { timeout: 900_000 }, async () => {
    const whole = await tinyStudy("unharmed");
    const begin = Date.now();
    expect((await killedOnce(whole, {})).killed).toBe(false);
    const took = Date.now() - begin;
    const shares = uniforms(
      { seed: 10, stream: "kills", iteration: 0, trajectory: 0, step: 0 },
      1000,
    );
    const moments: number[] = [];
    for (let studies = 0, tries = 0; moments.length < 10; studies++) {
      const place = await tinyStudy(`harmed-${studies}`);
      while (!existsSync(join(place, "verdict.json"))) {
        const ms = moments.length < 10 ? shares[tries++]! * took : undefined;
        const { killed, said } = await killedOnce(place, ms === undefined ? {} : { ms });
        if (killed) moments.push(Math.round(ms!));
        else expect(existsSync(join(place, "verdict.json")), said).toBe(true);
      }
      for (const file of KEPT)
        expect(textIn(place, file), String(moments)).toBe(textIn(whole, file));
    }
    expect(moments).toHaveLength(10);
  });

test("--plan prints the commands of the stage that comes next", async () => {
  const place = await tinyStudy("planned");
  const { code, json } = await turnbook("study", "run", place, "--plan");
  expect(code).toBe(0);
  expect(json).toHaveLength(8);
  expect(String(json[0])).toContain("stage-1.json --out");
});

describe("a study's file", () => {
  let files = 0;
  const make = (...more: string[]) =>
    turnbook("study", "new", ...more, "--out", join(folder, `file-${files++}`));

  test("is refused at once where too few levels are left to seal", async () => {
    const { code, json, progress } = await make(
      "turn-ppo",
      "--against",
      "grpo",
      "--preset",
      "webshop-fair",
    );
    expect(code).toBe(2);
    expect(json).toEqual([]);
    expect(progress.at(-1)).toContain("sealed.levels is 256; the shop has 0 goals");
  });

  test("is what study new writes, for a row and for an own estimator", async () => {
    const own = await make("mine", "--against", "turn-ppo,grpo");
    const row = await make("rloo", "--against", "grpo", "--preset", "frozenlake");
    expect([own.code, row.code], [...own.progress, ...row.progress].join("\n")).toEqual([0, 0]);
    const path = String(own.json[0]!["written"]);
    const { arms, sealed } = readStudy(resolve(path, ".."));
    expect(Object.values(arms).map(({ name }) => name)).toEqual([
      ...["turn-ppo@mine", "turn-ppo", "grpo"],
    ]);
    expect(sealed.levels).toBe(256);
    expect(own.json[0]).toMatchObject({ arms: 3, runsPerArm: 27, iterationsPerArm: 1120 });
  });

  test("is refused by field and value", async () => {
    const text = readFileSync(join(await tinyStudy("refused"), "study.yaml"), "utf8");
    const refused = (from: string, to: string, message: string) => {
      expect(text).toContain(from);
      expect(() => parseStudy(text.replace(from, to))).toThrow(message);
    };
    refused(
      "seeds: [11, 12]",
      "seeds: [11]",
      "search.stages[0].seeds is [11]; it must be a list of at least 2",
    );
    refused("seeds: [11, 12]", "seeds: [11, 1]", "has 1, which final.seeds has too");
    refused(
      "seeds: [1, 2]",
      "seeds: [1, 1001]",
      "final.seeds[1] is 1001; it must be a whole number from 0 to ",
    );
    refused("keep: 1", "keep: 2", "last stage keeps 2; it must keep 1");
    refused("keep: 1", "keep: 3", "search.stages.0.keep is 3; 2 settings are left");
    refused('  grpo: { name: "grpo" }\n', "", "arms are mine; it needs two or more");
    refused(
      "measure: success",
      "measure: luck",
      'study.yaml: measure is "luck"; it must be success or reward',
    );
    refused("control: false", "contral: no", "contral is not a field of the study; allowed: name");
    refused("draws: 2", "draws: 0", "search.draws is 0; it must be a whole number from 1 to 10000");
    refused("seeds: [1, 2] }", "seeds: 0 }", "final.seeds is 0; it must be a list");
    refused("levels: 24 }", "levels: 0 }", "sealed.levels is 0; it must be a whole number from 2");
    refused("{ levels: 4,", "{ levels: 0,", "base.evaluation.levels is 0; settings are chosen by");
    const arm = '  grpo: { name: "grpo" }\n';
    refused(arm, `${arm}${arm}`, 'is "grpo: {');
    refused('grpo: { name: "grpo" }', 'gr@po: { name: "grpo" }', "it must be a name of letters");
    refused('{ name: "grpo" }', '{ nome: "grpo" }', "arms.grpo.name is nothing");
    refused(
      '{ name: "grpo" }',
      '{ name: "grpo", nome: 1 }',
      "nome is not a field of arms.grpo; allowed: ",
    );
    refused("{ log: [0.0001, 0.003] }", "3", "is 3; it must be a list of values, { log: ");
    refused("row.lambda", "row.lamda", 'search.over has "row.lamda", which is no setting of a row');
    refused("[0.0001, 0.003]", "[0.003, 0.0001]", "is from 0.003 to 0.0001; the first must be");
    const unknown = await make("mine", "--against", "grqo");
    expect(unknown.code).toBe(2);
    expect(unknown.progress[0]).toContain('option --against has "grqo"');
    const shapeless = await turnbook("study", "show", folder);
    expect(shapeless.progress[0]).toContain("study.yaml is missing");
    const misnamed = await turnbook("study", "begin");
    expect(misnamed.progress[0]).toBe(
      'study needs an action, not "begin"; allowed: new, run, show',
    );
  });

  test("is kept: a folder of anything else is refused", async () => {
    const place = join(folder, "taken");
    mkdirSync(place);
    writeFileSync(join(place, "x"), "");
    const { code, progress } = await turnbook(
      ...["study", "new", "mine", "--against", "grpo", "--out", place],
    );
    expect([code, progress[0]]).toEqual([2, expect.stringContaining("an empty folder")]);
  });
});

test("a stage says how sure its drop was", () => {
  const outcome = (draw: string, last: number[], kept: boolean): SearchOutcome => ({
    ...{ stage: 1, method: "a", draw, settings: {}, set: "validation", iterations: 1 },
    scores: last.map((x, seed) => ({ seed, first: 0, last: x })),
    mean: last.reduce((sum, x) => sum + x, 0) / last.length,
    ...{ crashed: 0, kept },
  });
  const all = [outcome("1", [0.5, 0.7], true), outcome("2", [0.4, 0.6], false)];
  const [found] = halvings(all);
  // Each has variance 0.02 over two seeds: the difference of means has twice 0.02 / 2.
  expect(found).toMatchObject({ kept: 1, dropped: 1 });
  expect(found!.gap).toBeCloseTo(0.1, 12);
  expect(found!.error).toBeCloseTo(Math.sqrt(0.02), 12);
  // t = 0.707 with two degrees of freedom, one-sided.
  expect(found!.wrong).toBeCloseTo(0.2764, 3);
  expect(halvings([all[0]!])).toEqual([]);
});

describe("an estimator in a notebook's cell", () => {
  const cell = (id: string, defines: string, factor: number) =>
    [
      `\`\`\`code id=${id} defines=${defines}`,
      `export const estimate = ({ episodes }) => episodes.map(({ turns }) => ({`,
      `  advantages: turns.rewards.map((r) => ${factor} * r),`,
      `  returns: turns.rewards.slice(),`,
      `}));`,
      "```",
    ].join("\n");
  const book = join(folder, "book.md");
  writeFileSync(
    book,
    [
      "# Ideas",
      cell("twice", "estimator", 2),
      cell("thrice", "estimator", 3),
      cell("pay", "reward", 1),
      "```code id=plain\n1\n```",
    ].join("\n\n"),
  );
  let files = 0;
  const make = (...more: string[]) =>
    turnbook("study", "new", ...more, "--out", join(folder, `cell-${files++}`));

  test("is an arm, and so are others that a row names", async () => {
    const { code, json, progress } = await make(
      ...["mine", "--against", "turn-ppo@thrice,grpo", "--code", `${book}#twice`],
    );
    expect(code, progress.join("\n")).toBe(0);
    const { arms, base } = readStudy(resolve(String(json[0]!["written"]), ".."));
    expect(Object.entries(arms).map(([arm, { name }]) => [arm, name])).toEqual([
      ["mine", "turn-ppo@mine"],
      ["turn-ppo-thrice", "turn-ppo@thrice"],
      ["grpo", "grpo"],
    ]);
    const { definitions } = base as { definitions: { name: string; source: string }[] };
    expect(definitions.map(({ name, source }) => [name, /(\d) \* r/.exec(source)![1]])).toEqual([
      ["mine", "2"],
      ["thrice", "3"],
    ]);
    const named = await make("thrice", "--against", "grpo", "--code", book);
    expect(named.code, named.progress.join("\n")).toBe(0);
  });

  test("is refused where it is none", async () => {
    const refused = async (code: string, message: string) => {
      const made = await make("mine", "--against", "grpo", "--code", code);
      expect(made.code).toBe(2);
      expect(made.progress.at(-1)).toContain(message);
    };
    await refused(`${book}#once`, 'names the cell "once", which is not there');
    await refused(`${book}#pay`, 'names the cell "pay", which defines a thing of kind reward');
    await refused(`${book}#plain`, 'names the cell "plain", which defines nothing');
    await refused(
      book,
      'names the code "mine", which is not there; there is: twice (estimator), thrice (estimator)',
    );
    await refused(`${launcher}#x`, "only a notebook (.md, .ipynb) has cells");
  });
});
