import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { main } from "../../src/cli/main.ts";
import { presetConfig } from "../../src/model/initModel.ts";
import { loadModelFolder } from "../../src/model/folder.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "turnbook-export-"));
  vi.stubEnv("INIT_CWD", dir);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

async function run(...argv: string[]) {
  const lines: { files: string[]; algorithms: object[] }[] = [];
  const errors: string[] = [];
  const code = await main(["export", ...argv], {
    json: (value) => lines.push(JSON.parse(JSON.stringify(value))),
    progress: (line) => errors.push(line),
  });
  return { code, lines, errors };
}

describe("export ragen", () => {
  it("writes a bundle and says what has no counterpart", async () => {
    const { code, lines, errors } = await run("ragen", "nano", "--out", "a", "--seed", "2");
    expect(code).toBe(0);
    expect(lines[0]!.files.sort()).toEqual([
      "COUNTERPARTS.md",
      "config/turnbook-grpo.yaml",
      "config/turnbook-token-ppo.yaml",
      "python/README.md",
      "python/pyproject.toml",
      "python/ragen.patch",
      "python/turnbook_log.py",
      "python/turnbook_verl.py",
      "run.sh",
      "spec.json",
      "verl.sh",
      "verl/grpo.txt",
      "verl/token-ppo.txt",
      "verl/turn-ppo.txt",
    ]);
    for (const file of lines[0]!.files) expect(existsSync(join(dir, "a", file))).toBe(true);
    expect(lines[0]!.algorithms).toContainEqual({
      name: "turn-ppo",
      ragen: "none",
      verl: "differs",
    });
    expect(errors).toContain("turn-ppo on verl: bash a/verl.sh turn-ppo");
    expect(errors).toContain("turn-ppo has no counterpart in RAGEN: see COUNTERPARTS.md");
    const page = readFileSync(join(dir, "a", "COUNTERPARTS.md"), "utf8");
    expect(page).toContain("| Turn-PPO (turn-ppo) | no counterpart | with differences |");
    expect(page).toContain("`seed.train=1010000`");
  });

  it("runs: the script puts the files into RAGEN's folder and starts each run there", async () => {
    await run("ragen", "nano", "--out", "b");
    const ragen = join(dir, "RAGEN");
    const bin = join(dir, "bin");
    for (const folder of [join(ragen, "config"), bin]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(ragen, "train.py"), "");
    // A python that tells where it was started, and with what.
    writeFileSync(join(bin, "python"), '#!/bin/sh\necho "$PWD $*"\n');
    chmodSync(join(bin, "python"), 0o755);
    const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
    const script = (...args: string[]) =>
      spawnSync("bash", [join(dir, "b", "run.sh"), ...args], { env, encoding: "utf8" });

    const all = script(ragen);
    expect(all.stdout.trim().split("\n")).toEqual([
      `${ragen} train.py --config-name turnbook-grpo`,
      `${ragen} train.py --config-name turnbook-token-ppo`,
    ]);
    expect(all.status).toBe(0);
    expect(all.stderr).toContain("the keys are of mll-lab-nu/RAGEN@20daedc");
    expect(readFileSync(join(ragen, "config/turnbook-grpo.yaml"), "utf8")).toBe(
      readFileSync(join(dir, "b", "config/turnbook-grpo.yaml"), "utf8"),
    );
    expect(script(ragen, "turnbook-grpo").stdout.trim().split("\n")).toHaveLength(1);
    expect(script(ragen, "turn-ppo").status).toBe(2);
    expect(script(bin).status).toBe(2);
    expect(script().status).not.toBe(0);
  });

  it("python: the plugin and the writer alone, as the package has them", async () => {
    const { code, lines } = await run("python", "--out", "alone-python");
    expect(code).toBe(0);
    expect(lines[0]!.files).toContain("turnbook_log.py");
    for (const name of lines[0]!.files) {
      const shipped = new URL(`../../public/python/${name}`, import.meta.url);
      expect(readFileSync(join(dir, "alone-python", name))).toEqual(readFileSync(shipped));
    }
    expect((await run("python")).errors.join()).toContain("option --out DIR is missing");
    expect((await run("python", "nano", "--out", "other")).code).not.toBe(0);
  });

  it("Turn-PPO: the scripts load the plugin, and patch RAGEN once", async () => {
    writeFileSync(
      join(dir, "turns.json"),
      JSON.stringify({
        preset: "nano",
        context: "full",
        algorithms: [{ name: "turn-ppo", set: {} }],
      }),
    );
    const { lines } = await run("ragen", "turns.json", "--out", "turns");
    expect(lines[0]!.algorithms).toEqual([{ name: "turn-ppo", ragen: "differs", verl: "differs" }]);
    const [ragen, bin] = [join(dir, "checkout"), join(dir, "tools")];
    for (const folder of [join(ragen, "config"), bin]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(ragen, "train.py"), "");
    const tool = (name: string, text: string) => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(bin, name), 0o755);
    };
    tool("python", 'echo "$VERL_USE_EXTERNAL_MODULES $PYTHONPATH $*"');
    // The checkout has the patch if the first question is answered with yes.
    tool("git", 'case "$*" in *--reverse*) exit "$HAS_NOT" ;; esac; echo "git $1"');
    const path = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, PYTHONPATH: "" };
    const script = (hasNot: string, ...args: string[]) =>
      spawnSync("bash", args, { env: { ...path, HAS_NOT: hasNot }, encoding: "utf8" }).stdout;
    const python = join(dir, "turns", "python");
    const started = `${python} train.py --config-name turnbook-turn-ppo\n`;
    expect(script("1", join(dir, "turns/run.sh"), ragen)).toBe(`git apply\n ${started}`);
    expect(script("0", join(dir, "turns/run.sh"), ragen)).toBe(` ${started}`);
    const onVerl = script("0", join(dir, "turns/verl.sh"), "turn-ppo", "data.seed=1");
    expect(onVerl).toMatch(`turnbook_verl ${python} -m verl.trainer.main_ppo `);
    expect(onVerl).toContain('loss_mode="turn_product/turnsum-over-tokens"');
    expect(onVerl).toMatch(/data\.seed=1\n$/);
  });

  it("a name that is not in the table is reported, and the known ones are exported unchanged", async () => {
    const algorithms = [{ name: "grpo", set: {} }];
    const write = (name: string, more: object) =>
      writeFileSync(join(dir, name), JSON.stringify({ preset: "nano", algorithms, ...more }));
    write("alone.json", {});
    write("beside.json", { preference: { methods: ["tdpo2"] }, iterative: {} });
    const alone = await run("ragen", "alone.json", "--out", "alone");
    const beside = await run("ragen", "beside.json", "--out", "beside");
    const none = { ragen: "none", verl: "none" };
    expect(beside.lines[0]!.algorithms).toEqual([
      ...alone.lines[0]!.algorithms,
      { name: "tdpo2", ...none },
      { name: "iterative-ppo", ...none },
    ]);
    expect(beside.errors).toContain(
      "tdpo2 has no counterpart in RAGEN or verl: see COUNTERPARTS.md",
    );
    const [one, other] = ["alone", "beside"].map((name) =>
      readFileSync(join(dir, name, "COUNTERPARTS.md"), "utf8"),
    );
    const line =
      "Without a counterpart in RAGEN or verl, and not in this bundle: tdpo2, iterative-ppo; their trainers have no loss on preference pairs and no Q of turns as reward.\n\n";
    expect(other).toContain(line);
    const settings = /\| `(preference|iterative)` .*\n/g;
    expect(other!.replace(line, "").replace(settings, "")).toBe(one!.replace(settings, ""));
  });

  it("does not write over what is there", async () => {
    mkdirSync(join(dir, "full"));
    writeFileSync(join(dir, "full", "mine.txt"), "keep");
    writeFileSync(join(dir, "file"), "keep");
    for (const out of ["full", "file"]) {
      const { code, errors } = await run("ragen", "nano", "--out", out);
      expect([code, errors]).toEqual([
        2,
        [`option --out is "${out}"; it must be a new or an empty folder`],
      ]);
    }
    const { code, errors } = await run("ragen", "nano", "--out", "file/inside");
    expect([code, errors.length]).toEqual([2, 1]);
    expect(errors[0]).toContain("cannot write to file/inside");
  });

  it.each([
    [[], "export needs a format, not nothing; allowed: ragen"],
    [["trl", "nano"], 'export needs a format, not "trl"'],
    [["ragen", "--out", "c"], "export ragen takes one spec"],
    [["ragen", "mega", "--out", "c"], 'spec "mega" is neither a preset'],
    [
      ["ragen", "nano-tdpo", "--out", "c"],
      "the spec trains dpo, tdpo1, tdpo2, and none has a counterpart in RAGEN or verl: their trainers have no loss on preference pairs",
    ],
    [["ragen", "nano"], "option --out DIR is missing"],
    [["ragen", "nano", "--out", "c", "--model", "gpt2"], 'model is "gpt2"'],
    [["ragen", "nano", "--out", "c", "--gpus", "5"], "gpus is 5"],
    [["ragen", "nano", "--out", "c", "--gpus", "0"], 'option --gpus is "0"'],
    [["ragen", "nano", "--out", "c", "--nodes", "2"], "unknown option --nodes"],
  ])("refuses %j", async (argv, message) => {
    const { code, lines, errors } = await run(...argv);
    expect(code).toBe(2);
    expect(lines).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(message);
    expect(existsSync(join(dir, "c"))).toBe(false);
  });
});

describe("export huggingface", () => {
  const SPEC = {
    ...{
      preset: "nano",
      algorithms: ["turn-ppo", "grpo"].map((name) => ({ name, set: {} })),
      engine: { name: "wasm", backend: "wasm" },
    },
    optimisation: { iterations: 1, tasksPerIteration: 1, groupSize: 2, minibatch: 2, epochs: 1 },
    critic: { kind: "separate", size: "micro", warmup: 0, epochs: 1 },
    environment: { maxTurns: 2 },
    evaluation: { levels: 0 },
  };

  it("writes each model of a run as a folder that is read again as its weights, tokenizer included", async () => {
    writeFileSync(join(dir, "spec.json"), JSON.stringify(SPEC));
    const silent = { json: () => {}, progress: () => {} };
    expect(await main(["train", "spec.json", "--out", "run", "--keep-every", "1"], silent)).toBe(0);
    const { code, lines, errors } = await run("huggingface", "run", "--out", "hf");
    expect(code, errors.join()).toBe(0);
    expect(lines[0]).toEqual({
      out: "hf",
      iterations: 1,
      models: ["grpo", "turn-ppo", "turn-ppo-critic"],
    });
    const checkpoint = await decodeCheckpoint(readFileSync(join(dir, "run", "checkpoint.zip")));
    const critic = readFileSync(join(dir, "hf", "turn-ppo-critic", "config.json"), "utf8");
    expect((JSON.parse(critic) as { num_hidden_layers: number }).num_hidden_layers).toBe(
      presetConfig("micro").layers,
    );
    for (const name of ["turn-ppo", "grpo"]) {
      const folder = join(dir, "hf", name);
      const { weights } = await loadModelFolder(async (file) =>
        Promise.resolve(readFileSync(join(folder, file))),
      );
      for (const [tensor, { data }] of weights)
        expect(data).toEqual(checkpoint.tensors.get(`${name}:actor/weight/${tensor}`)!.data);
      // What transformers needs, as the shipped models have it.
      const shipped = join(import.meta.dirname, "../../public/models/nano-sokoban");
      for (const file of ["config.json", "tokenizer.json", "tokenizer_config.json"])
        expect(readFileSync(join(folder, file), "utf8")).toBe(
          readFileSync(join(shipped, file), "utf8"),
        );
    }
    const kept = await run("huggingface", "run", "--out", "hf1", "--iteration", "1");
    expect(kept.lines[0]).toMatchObject({ iterations: 1 });
    expect(
      (await run("huggingface", "run", "--out", "hf7", "--iteration", "7")).errors.join(),
    ).toContain("no checkpoint checkpoints/iteration-7.zip; kept iterations: 1");
  });

  it.each([
    [[], "needs one folder"],
    [["run"], "option --out DIR is missing"],
    [["none", "--out", "x"], "no checkpoint"],
  ])("refuses %j in one sentence", async (words, sentence) => {
    const { code, errors } = await run("huggingface", ...words);
    expect(code).toBe(2);
    expect(errors.join("\n")).toContain(sentence);
    expect(errors).toHaveLength(1);
  });
});
