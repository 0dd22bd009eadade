/** `turnbook notebook`: files are checked line by line, and new ones have nothing wrong. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { bookAddressOf, type RemoteAddress } from "../../src/app/book/bookAddress.ts";
import { remoteUrl } from "../../src/app/book/fetchNotebook.ts";
import { notebookFromWord } from "../../src/notebook/sharedText.ts";
import { example, trained } from "../definitions/examples.ts";
import { turnbook } from "./cliSupport.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-notebook-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "notebooks"));
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
const at = (name: string) => join(folder, "notebooks", name);

const shipped = readdirSync("public/notebooks").filter((name) => name.endsWith(".md"));

test.each(shipped)("the page's %s has nothing wrong, its recording included", async (name) => {
  const { code, json } = await turnbook("notebook", "check", `public/notebooks/${name}`);
  expect(json[0]).toMatchObject({ problems: [] });
  expect(code).toBe(0);
});

test("a check names the notebook and its cells", async () => {
  const { json } = await turnbook("notebook", "check", "public/notebooks/first.md");
  const { title, cells } = json[0] as { title: string; cells: unknown[] };
  expect(title).toBe("Who earned the reward?");
  expect(cells.length).toBeGreaterThan(2);
});

test("reports each problem with its line", async () => {
  const text = [
    "# Title",
    "",
    "```experiment id=first",
    "preset: nano",
    "sede: 3",
    "recording: runs/none.json",
    "```",
    "",
    "```panel of=other",
    "at: x y",
    "```",
  ].join("\n");
  writeFileSync(at("a.md"), text);
  const { code, json } = await turnbook("notebook", "check", at("a.md"));
  const { problems } = json[0] as { problems: { line: number; message: string }[] };
  expect(problems.map(({ line, message }) => `${line}: ${message.split(";")[0]}`)).toEqual([
    "5: first: sede is not a field of the experiment. Left out.",
    "6: first: runs/none.json is not there.",
    '9: The cell panel refers to "other", which is not an experiment here.',
    "10: panel: panel is missing.",
    "10: panel: at must be as a link has it, method, iteration, episode, turn: turn-ppo,26,7,3.",
  ]);
  expect(code).toBe(1);
});

test("says which names nothing answers to: panels, settings, metrics, experiments, figures, and code that cannot be read", async () => {
  const cell = (info: string, ...lines: string[]) => ["```" + info, ...lines, "```", ""];
  const text = [
    ...["# Title", ""],
    ...cell("experiment id=first", "preset: nano"),
    ...cell("panel id=a of=first", "panel: nonsense"),
    ...cell("panel id=b of=first", "panel: critic", "settings:", "  span: 7", "  colour: red"),
    ...cell("curves id=c of=first", "metrics: reward, bogus"),
    ...cell("compare id=d", "experiments: first, nobody"),
    ...cell("cuts id=e", "figure: figures/none.json"),
    ...cell("code id=f defines=reward", "export default function (", ""),
  ].join("\n");
  writeFileSync(at("names.md"), text);
  const { code, json } = await turnbook("notebook", "check", at("names.md"));
  const { problems } = json[0] as { problems: { line: number; message: string }[] };
  const said = problems.map(({ line, message }) => `${line}: ${message.split(";")[0]}`);
  expect(said.slice(0, -1)).toEqual([
    "8: a: nonsense is no panel",
    "13: b: colour is no setting of critic",
    "14: b: span is 7",
    "19: c: metrics must list reward, success, heldout, train:NAME or heldout:NAME",
    "23: d: nobody is no experiment",
    "27: e: figures/none.json is not there.",
  ]);
  expect(said.at(-1)).toMatch(/^\d+: f: /);
  expect(problems[0]!.message).toContain("allowed: curves, ribbon,");
  expect(code).toBe(1);
});

test("writes a new one, and never over another file", async () => {
  expect((await turnbook("notebook", "new", at("new.md"))).code).toBe(0);
  expect((await turnbook("notebook", "check", at("new.md"))).code).toBe(0);
  const before = readFileSync(at("new.md"), "utf8");
  const again = await turnbook("notebook", "new", at("new.md"));
  expect(again.code).toBe(2);
  expect(readFileSync(at("new.md"), "utf8")).toBe(before);
});

test.each([[[]], [["look"]], [["check"]], [["check", "a", "b"]], [["check", "/nowhere.md"]]])(
  "refuses notebook %j in one sentence",
  async (words) => {
    const { code, progress } = await turnbook("notebook", ...words);
    expect(code).toBe(2);
    expect(progress).toHaveLength(1);
  },
);

/** Two experiments, one of which trains with a reward and an estimator of the notebook, and cells that read both. */
const RUNS = (() => {
  const small = [
    "preset: frozenlake",
    "model: { warmStart: none }",
    "optimisation: { iterations: 2, tasksPerIteration: 2, groupSize: 2, minibatch: 2, epochs: 1 }",
    "critic: { warmup: 0, epochs: 1 }",
    "evaluation: { levels: 0 }",
    "recordEpisodes: 2",
    "engine: { name: wasm, backend: wasm }",
  ];
  const cell = (head: string, ...lines: string[]) => ["```" + head, ...lines, "```", ""];
  const source = (name: string) => example(name).source.trimEnd();
  return [
    ...["# Runs", ""],
    ...cell("experiment id=plain", ...small, "algorithms: turn-ppo"),
    ...cell("code id=hurry defines=reward", source("hurry")),
    ...cell("code id=turnPpo defines=estimator", source("turnPpo")),
    ...cell(
      "experiment id=mine",
      ...small,
      "algorithms: [turn-ppo@turnPpo]",
      "environment: { reward: hurry }",
    ),
    ...cell("code id=rewards", "const { turns } = runs.mine;", "turns.reward.length + plus.n"),
    ...cell("input id=more", "value: 0.5"),
    ...cell("code id=plus", "({ n: plain.algorithms.length, more })"),
  ].join("\n");
})();

test("runs all of a notebook, and once more takes what is there", async () => {
  writeFileSync(at("runs.md"), RUNS);
  expect((await turnbook("notebook", "check", at("runs.md"))).json[0]).toMatchObject({
    problems: [],
  });
  const out = join(folder, "out");
  const first = await turnbook("notebook", "run", at("runs.md"), "--out", out);
  expect(first.code, first.progress.join("\n")).toBe(0);
  const { experiments, code } = first.json[0] as {
    experiments: { id: string; fingerprint: string }[];
    code: object[];
  };
  expect(experiments.map(({ id }) => id)).toEqual(["plain", "mine"]);
  // The form that `train` takes: definitions are in the experiment.
  const spec = readJson(join(out, "mine", "experiment.json")) as ExperimentSpec;
  expect(spec.definitions?.map(({ name }) => name)).toEqual(["hurry", "turnPpo"]);
  expect(experiments[1]!.fingerprint).toBe((await trained(spec)).fingerprint);
  const { shown } = code[0] as { shown: { kind: string; value: number } };
  expect(shown.kind).toBe("value");
  expect(shown.value).toBeGreaterThan(2);
  const again = await turnbook("notebook", "run", at("runs.md"), "--out", out);
  expect(again.json).toEqual(first.json);
  const more = await turnbook("notebook", "run", at("runs.md"), "--out", out, "--iterations", "3");
  expect(more.code).toBe(2);
  expect(more.progress.join()).toMatch(/mine|plain/);
});

test("trains nothing where a field of an experiment or a sweep cannot be used", async () => {
  writeFileSync(at("misspelled.md"), RUNS.replace("iterations:", "iteration:"));
  const out = join(folder, "misspelled");
  const { code, progress } = await turnbook("notebook", "run", at("misspelled.md"), "--out", out);
  expect(code).toBe(2);
  expect(progress.join()).toMatch(/line \d+ of .*misspelled\.md: .*iteration/);
  expect(existsSync(out)).toBe(false);
});

test("says which cell failed, and of code that cannot be read the line", async () => {
  writeFileSync(
    at("bad.md"),
    "# Bad\n\n```code id=a\n1;\nnowhere\n```\n\n```code id=b\n\n1 +\n```\n",
  );
  const { json, code } = await turnbook(
    "notebook",
    "run",
    at("bad.md"),
    "--out",
    join(folder, "b"),
  );
  expect(code).toBe(1);
  const [a, b] = (json[0] as { code: { ok: boolean; problem: string }[] }).code;
  expect(a!.problem).toBe("a, line 2: ReferenceError: 'nowhere' is not defined");
  expect(b!.problem).toMatch(/^b, line [23]: SyntaxError/);
  const checked = (await turnbook("notebook", "check", at("bad.md"))).json[0] as {
    problems: { line: number; message: string }[];
  };
  expect(checked.problems.map(({ line }) => line)).toEqual([4, 10]);
  expect(checked.problems[0]!.message).toBe("a: nowhere is no cell of this notebook.");
});

/** One experiment of two iterations, and a sweep over it of two settings, one of which no trainer takes. */
const SWEPT = [
  "# Swept",
  "",
  "```experiment id=base",
  "preset: frozenlake",
  "model: { warmStart: none }",
  "optimisation: { iterations: 1, tasksPerIteration: 2, groupSize: 2, minibatch: 2, epochs: 1 }",
  "critic: { warmup: 0, epochs: 1 }",
  "evaluation: { levels: 0 }",
  "recordEpisodes: 2",
  "engine: { name: wasm, backend: wasm }",
  "algorithms: turn-ppo",
  "```",
  "",
  "```sweep id=rates of=base",
  "over:",
  "  optimisation.actorLr: [1e-3, 3e-3]",
  "```",
  "",
].join("\n");

interface Compared {
  problems: { line: number; message: string }[];
  runs: { id: string; fingerprint: string; kept: string | null; verdict: string }[];
}

test("runs sweeps too, and check --run compares every run with what is kept", async () => {
  writeFileSync(at("swept.md"), SWEPT);
  const out = join(folder, "swept");
  const run = await turnbook("notebook", "run", at("swept.md"), "--out", out);
  const { sweeps } = run.json[0] as { sweeps: { id: string; fingerprint: string }[] };
  expect(sweeps.map(({ id }) => id)).toEqual([
    "rates/actorLr 0.001/seed 1",
    "rates/actorLr 0.003/seed 1",
  ]);
  expect(sweeps[0]!.fingerprint).not.toBe(sweeps[1]!.fingerprint);
  const file = join(out, "fingerprints.json");
  const kept = readJson(file) as Record<string, string>;
  expect(Object.keys(kept)).toEqual(["base", ...sweeps.map(({ id }) => id)]);

  const check = (...more: string[]) =>
    turnbook("notebook", "check", at("swept.md"), "--run", "--out", out, ...more);
  const same = await check("--fingerprints", file);
  expect(same.code).toBe(0);
  expect((same.json[0] as unknown as Compared).runs.map(({ verdict }) => verdict)).toEqual(
    Array(3).fill("same"),
  );
  const bare = (await check()).json[0] as unknown as Compared;
  expect(bare.runs.map(({ verdict }) => verdict)).toEqual(Array(3).fill("nothing kept"));

  const base = "0".repeat(64);
  writeFileSync(join(folder, "other.json"), JSON.stringify({ ...kept, base }));
  const other = await check("--fingerprints", join(folder, "other.json"));
  expect(other.code).toBe(1);
  expect((other.json[0] as unknown as Compared).runs[0]).toMatchObject({
    id: "base",
    kept: base,
    verdict: "other",
  });
});

test("a recording beside the notebook is what its experiment is compared with", async () => {
  const spec = join(folder, "swept", "base", "experiment.json");
  const recorded = ["train", spec, "--record", join(folder, "base.jsonl")];
  expect((await turnbook(...recorded)).code).toBe(0);
  const text = SWEPT.replace("preset:", "recording: base.jsonl\npreset:").split("```sweep")[0]!;
  writeFileSync(at("recorded.md"), text);
  const { json, code } = await turnbook("notebook", "check", at("recorded.md"), "--run");
  expect((json[0] as unknown as Compared).runs).toMatchObject([{ id: "base", verdict: "same" }]);
  expect(code).toBe(0);
});

test("says which settings of a sweep cannot be trained", async () => {
  writeFileSync(at("wrong.md"), SWEPT.replace("[1e-3, 3e-3]", "[1e-3, -1]"));
  const { json, code } = await turnbook("notebook", "check", at("wrong.md"));
  const { problems } = json[0] as unknown as Compared;
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ line: 15 });
  expect(problems[0]!.message).toMatch(/^rates: .*actorLr is -1/);
  expect(code).toBe(1);
});

test.each([
  [["--out", "x"], "option --out needs --run"],
  [["--fingerprints", "x"], "option --fingerprints needs --run"],
])("check refuses %j", async (words, sentence) => {
  writeFileSync(at("plain.md"), "# Plain\n");
  const { code, progress } = await turnbook("notebook", "check", at("plain.md"), ...words);
  expect(code).toBe(2);
  expect(progress.join()).toContain(sentence);
});

test("checks several files, one problem a line, as FILE:LINE", async () => {
  writeFileSync(at("good.md"), "# Good\n");
  writeFileSync(at("odd.md"), "# Odd\n\n```experiment id=first\npreset: nano\nsede: 3\n```\n");
  const { code, json, progress } = await turnbook("notebook", "check", at("good.md"), at("odd.md"));
  expect(code).toBe(1);
  expect(json).toMatchObject([{ title: "Good", problems: [] }, { title: "Odd" }]);
  expect(progress).toEqual([expect.stringMatching(/odd\.md:5: first: sede is not a field/)]);
  const one = await turnbook(
    "notebook",
    "check",
    at("good.md"),
    at("good.md"),
    "--run",
    "--out",
    "x",
  );
  expect(one.progress.join()).toContain("option --out is for one notebook, not 2");
});

test("--form finds the line that the page would write otherwise, and format writes it", async () => {
  writeFileSync(at("form.md"), "# Form\r\n\n```code fold id=a\n1\n```\n");
  const check = () => turnbook("notebook", "check", at("form.md"), "--form");
  expect((await check()).progress).toEqual([expect.stringContaining("form.md:1: The page writes")]);
  expect((await turnbook("notebook", "format", at("form.md"))).json).toMatchObject([
    { changed: true },
  ]);
  expect(readFileSync(at("form.md"), "utf8")).toBe("# Form\n\n```code id=a fold\n1\n```\n");
  expect((await check()).code).toBe(0);
  expect((await turnbook("notebook", "format", at("form.md"))).json).toMatchObject([
    { changed: false },
  ]);
});

test("a recording that was altered, or is of another experiment, is a problem of its line", async () => {
  const problemsOf = async (name: string) => {
    const { json } = await turnbook("notebook", "check", at(name));
    return (json[0] as unknown as Compared).problems;
  };
  expect(await problemsOf("recorded.md")).toEqual([]);
  const text = readFileSync(at("recorded.md"), "utf8");
  writeFileSync(at("another.md"), text.replace("groupSize: 2", "groupSize: 4"));
  const [another] = await problemsOf("another.md");
  expect(another).toMatchObject({ line: 4 });
  expect(another!.message).toContain("optimisation.groupSize is 2 there");
  const log = readFileSync(join(folder, "base.jsonl"), "utf8");
  writeFileSync(join(folder, "bent.jsonl"), log.replace('"iteration":1', '"iteration":7'));
  writeFileSync(at("bent.md"), text.replace("base.jsonl", "bent.jsonl"));
  expect((await problemsOf("bent.md"))[0]!.message).toMatch(/bent\.jsonl is altered/);
});

test("the output of a code cell is compared with the one that is stored beside the notebook", async () => {
  const beside = join(folder, "notebooks", "sums.fingerprints.json");
  writeFileSync(at("sums.md"), "# Sums\n\n```code id=sum\n1 + 1\n```\n");
  const out = join(folder, "sums");
  await turnbook("notebook", "run", at("sums.md"), "--out", out);
  writeFileSync(beside, readFileSync(join(out, "fingerprints.json")));
  const check = () => turnbook("notebook", "check", at("sums.md"), "--run");
  expect((await check()).code).toBe(0);
  writeFileSync(at("sums.md"), "# Sums\n\n```code id=sum\n1 + 2\n```\n");
  const other = await check();
  expect(other.code).toBe(1);
  expect(other.json[0]).toMatchObject({ problems: [], runs: [{ id: "sum", verdict: "other" }] });
  expect(other.progress.at(-1)).toMatch(/sum ends with [0-9a-f]{64}; [0-9a-f]{64} is stored/);
  writeFileSync(at("sums.md"), "# Sums\n\n```code id=sum\nnull.x\n```\n");
  expect((await check()).progress.at(-1)).toMatch(/sums\.md:3: sum, line 1: TypeError/);
});

test("a badge opens the notebook from a repository, or whole from the link", async () => {
  writeFileSync(at("badge.md"), "# Badge\n");
  const site = ["--site", "https://example.org/turnbook/index.html"];
  const inFolder = "public/notebooks/first.md";
  const repo = ["--repo", "someone/rl@v1"];
  const badgeOf = async (...words: string[]) => {
    const { json } = await turnbook("notebook", "badge", ...words);
    return /^\[!\[Open in Turnbook\]\((.*)\)\]\((.*)\)$/.exec(String(json[0]))!;
  };
  const [, picture, link] = await badgeOf(inFolder, ...site, ...repo);
  expect(picture).toBe("https://example.org/turnbook/badge.svg");
  expect(existsSync("public/badge.svg")).toBe(true);
  const address = bookAddressOf(new URL(link!).hash);
  expect(remoteUrl(address as RemoteAddress).href).toBe(
    "https://raw.githubusercontent.com/someone/rl/v1/public/notebooks/first.md",
  );
  const { hash } = new URL((await badgeOf(at("badge.md"), ...site))[2]!);
  expect(notebookFromWord((bookAddressOf(hash) as { word: string }).word)).toBe("# Badge\n");
  const refused = await turnbook("notebook", "badge", at("badge.md"), ...site, ...repo);
  expect(refused.progress.join()).toContain("it must be its path in the repository");
  expect((await turnbook("notebook", "badge", at("badge.md"))).progress.join()).toContain(
    "option --site is",
  );
});
