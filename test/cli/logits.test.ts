import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import type { ModelConfig } from "../../src/engine/modelConfig.ts";
import { parameterShapes } from "../../src/engine/parameters.ts";
import { formatModelConfig } from "../../src/model/config.ts";
import { exportModelFolder, loadModelFolder } from "../../src/model/folder.ts";
import { writeSafetensors } from "../../src/model/safetensors.ts";

const GOLDEN = new URL("../golden/model/", import.meta.url).pathname;
const MODEL = join(GOLDEN, "qwen3_tied_bf16");

let folder: string;
const file = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "turnbook-logits-"));
  writeFileSync(file("labels.json"), '{"labels":[-100,-100,5,7]}');
  writeFileSync(file("short.json"), '{"labels":[1]}');
  writeFileSync(file("wide.json"), '{"labels":[-100,97,1,1]}');
  writeFileSync(file("none.json"), '{"labels":[3,-100,-100,-100]}');
  writeFileSync(file("broken.json"), "{");
  cpSync(MODEL, file("truncated"), { recursive: true });
  truncateSync(file("truncated/model.safetensors"), 30000);
  const { config, weights } = await loadModelFolder((name) => readFile(join(MODEL, name)));
  weights.get("model.layers.0.mlp.up_proj.weight")!.data.fill(3e38);
  mkdirSync(file("overflowing"));
  for (const [name, bytes] of exportModelFolder(config, weights)) {
    writeFileSync(file(join("overflowing", name)), bytes);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder with its config.json changed. */
function changedFolder(from: string, name: string, fields: object): string {
  cpSync(join(GOLDEN, from), file(name), { recursive: true });
  const config = JSON.parse(readFileSync(join(GOLDEN, from, "config.json"), "utf8")) as object;
  writeFileSync(file(join(name, "config.json")), JSON.stringify({ ...config, ...fields }));
  return file(name);
}

interface LogitsOutput {
  logits: number[][];
  loss?: number;
  gradNorms?: Record<string, number>;
  kl?: number;
  top1?: number;
}

async function run(...argv: string[]) {
  const json: LogitsOutput[] = [];
  const lines: string[] = [];
  const out = {
    json: (value: unknown) => void json.push(value as LogitsOutput),
    progress: (line: string) => void lines.push(line),
  };
  const code = await main(["logits", ...argv], out);
  return { code, json, lines };
}

const logProb = (row: number[], id: number) =>
  row[id]! - Math.log(row.reduce((sum, z) => sum + Math.exp(z), 0));

describe("a folder that contradicts itself", () => {
  const ids = ["--ids", "1,2,3", "--backend", "cpu"];

  it("with a head of its own under tie_word_embeddings has that head's logits, and it is said", async () => {
    const from = "qwen3_bias_untied";
    const tied = changedFolder(from, "tied", { tie_word_embeddings: true });
    const [own, flagged] = [
      await run("--model", join(GOLDEN, from), ...ids),
      await run("--model", tied, ...ids),
    ];
    expect(flagged.json).toEqual(own.json);
    expect(own.lines).toEqual([]);
    expect(flagged.lines).toEqual([expect.stringContaining("it is used as the head")]);
  });

  it("with one file and an index says which is used", async () => {
    const both = changedFolder("qwen3_bias_untied", "both", {});
    writeFileSync(join(both, "model.safetensors.index.json"), "{}");
    const { code, lines } = await run("--model", both, ...ids);
    expect([code, lines]).toEqual([0, [expect.stringContaining("the first is used")]]);
  });
});

it("prints a critic's values, and refuses its gradients", async () => {
  const critic = changedFolder("qwen2_tied_f32", "critic", {
    architectures: ["Qwen2ForTokenClassification"],
  });
  const { value_head: head, cases } = JSON.parse(
    readFileSync(join(GOLDEN, "qwen2_tied_f32", "expected.json"), "utf8"),
  ) as {
    cases: { name: string; input_ids: number[][] }[];
    value_head: { "score.weight": number[][]; "score.bias": number[]; values: number[][] };
  };
  const { weights } = await loadModelFolder((name) =>
    readFile(join(GOLDEN, "qwen2_tied_f32", name)),
  );
  weights.set("score.weight", {
    shape: [1, 32],
    data: Float32Array.from(head["score.weight"][0]!),
  });
  weights.set("score.bias", { shape: [1], data: Float32Array.from(head["score.bias"]) });
  writeFileSync(join(critic, "model.safetensors"), writeSafetensors(weights));
  const padded = cases.find(({ name }) => name === "left_padded")!.input_ids[0]!;
  const model = ["--model", critic, "--ids", padded.join(","), "--backend", "cpu"];
  const { json } = await run(...model);
  const { values } = json[0] as unknown as { values: number[] };
  expect(values.length).toBe(padded.length);
  values.forEach((value, t) => expect(value).toBeCloseTo(head.values[0]![t]!, 4));
  const { code, lines } = await run(...model, "--grad", file("labels.json"));
  expect([code, lines.at(-1)]).toEqual([2, expect.stringContaining("the folder is a critic")]);
});

describe("logits", () => {
  it.each(["tfjs", "wasm"])(
    "prints transformers' logits for each position (%s)",
    async (engine) => {
      const { cases } = JSON.parse(readFileSync(join(MODEL, "expected.json"), "utf8")) as {
        cases: { input_ids: number[][]; logits: number[][][] }[];
      };
      const [ids, expected] = [cases[0]!.input_ids[1]!, cases[0]!.logits[1]!];
      const { code, json } = await run(
        "--model",
        MODEL,
        "--ids",
        ids.join(","),
        "--engine",
        engine,
      );
      expect(code).toBe(0);
      const { logits } = json[0]!;
      expect(logits.length).toBe(expected.length);
      const far = expected.flatMap((row, t) => row.map((z, v) => Math.abs(z - logits[t]![v]!)));
      expect(Math.max(...far)).toBeLessThan(1e-4);
    },
  );

  it("adds the shifted loss of labels, which need not be the ids, and all gradient norms", async () => {
    const { json } = await run("--model", MODEL, "--ids", "1,2,3,4", "--grad", file("labels.json"));
    const { logits, loss, gradNorms } = json[0]!;
    const expected = -(logProb(logits[1]!, 5) + logProb(logits[2]!, 7)) / 2;
    expect(Math.abs(loss! - expected)).toBeLessThan(1e-5);
    expect(Object.keys(gradNorms!).length).toBe(24);
    expect(Object.values(gradNorms!).every((n) => n > 0)).toBe(true);
  });

  const good = ["--model", MODEL, "--ids", "1,2,3,4"];
  it.each([
    [["--model", MODEL, "--ids", "97"], 'option --ids has "97"'],
    [["--model", MODEL, "--ids", "1,,2"], 'option --ids has ""'],
    [["--model", MODEL, "--ids=-1"], 'option --ids has "-1"'],
    [["--model", MODEL, "--ids", Array(600).fill(1).join()], "at most 512"],
    [["--model", MODEL], "needs --ids"],
    [["--ids", "1"], "needs --model"],
    [["--model", "/nowhere", "--ids", "1"], "config.json cannot be read"],
    [[...good, "--backend", "gpu"], "cpu, wasm, webgpu"],
    [[...good, "--engine", "torch"], "allowed: tfjs, wasm"],
    [[...good, "--engine", "wasm", "--backend", "cpu"], "does not run on backend cpu"],
  ])("refuses %j", async (argv, words) => {
    const { code, json, lines } = await run(...argv);
    expect([code, json, lines.length]).toEqual([2, [], 1]);
    expect(lines[0]).toContain(words);
  });

  it.each([
    ["short.json", "a list of 4 numbers"],
    ["wide.json", "labels[1] is 97"],
    ["none.json", "at least one must count"],
    ["broken.json", "is not valid JSON"],
    ["absent.json", "cannot read"],
  ])("refuses labels in %s", async (name, words) => {
    const { code, lines } = await run(...good, "--grad", file(name));
    expect([code, lines.length]).toEqual([2, 1]);
    expect(lines[0]).toContain(words);
  });

  it("names the tensor that a truncated file cuts", async () => {
    const { code, lines } = await run("--model", file("truncated"), "--ids", "1");
    expect([code, lines.length]).toEqual([2, 1]);
    expect(lines[0]).toContain('tensor "model.embed_tokens.weight"');
  });

  it("prints no null for weights whose sums overflow", async () => {
    const { code, json, lines } = await run("--model", file("overflowing"), "--ids", "1,2");
    expect([code, json, lines.length]).toEqual([2, [], 1]);
    expect(lines[0]).toMatch(/^logits\[0\]\[\d+\] is (NaN|-?Infinity); it must be finite/);
  });
});

/** A folder of zeros in the shape of Qwen2.5-0.5B but for these fields: its weights take no room on the disk. */
function hollowFolder(name: string, fields: Partial<ModelConfig>): string {
  const config: ModelConfig = {
    ...{ family: "qwen2", vocabSize: 151_936, hiddenSize: 896, layers: 24, heads: 14, kvHeads: 2 },
    ...{ headDim: 64, intermediateSize: 4864, ropeTheta: 1e6, rmsNormEps: 1e-6 },
    ...{ tieWordEmbeddings: true, attentionBias: true, maxPositions: 32_768 },
    ...fields,
  };
  let end = 0;
  const entries = [...parameterShapes(config, "none")].map(([tensor, shape]) => {
    const bytes = 2 * shape.reduce((a, b) => a * b, 1);
    return [tensor, { dtype: "BF16", shape, data_offsets: [end, (end += bytes)] }] as const;
  });
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(8);
  length.writeUInt32LE(header.length);
  mkdirSync(file(name));
  writeFileSync(file(join(name, "config.json")), formatModelConfig(config, "BF16"));
  const weights = file(join(name, "model.safetensors"));
  writeFileSync(weights, Buffer.concat([length, header]));
  truncateSync(weights, 8 + header.length + end);
  return file(name);
}

it("adds an adapter's products while the weights are read", async () => {
  const { config, weights } = await loadModelFolder((name) => readFile(join(MODEL, name)));
  const name = "model.layers.1.mlp.down_proj";
  const [out, into] = weights.get(`${name}.weight`)!.shape as [number, number];
  const factor = (shape: number[], x: number) => ({
    shape,
    data: Float32Array.from({ length: shape[0]! * shape[1]! }, (_, i) => x * Math.sin(i)),
  });
  const [A, B] = [factor([2, into], 0.1), factor([out, 2], 0.2)];
  const stored = (which: string) => `base_model.model.${name}.lora_${which}.weight`;
  mkdirSync(file("adapter"));
  const settings = { peft_type: "LORA", r: 2, lora_alpha: 4, target_modules: ["down_proj"] };
  writeFileSync(file("adapter/adapter_config.json"), JSON.stringify(settings));
  writeFileSync(
    file("adapter/adapter_model.safetensors"),
    writeSafetensors(new Map(Object.entries({ [stored("A")]: A, [stored("B")]: B }))),
  );
  const { data } = weights.get(`${name}.weight`)!;
  for (let i = 0; i < out; i++)
    for (let j = 0; j < into; j++) {
      const sum = B.data[2 * i]! * A.data[j]! + B.data[2 * i + 1]! * A.data[into + j]!;
      data[i * into + j] = data[i * into + j]! + 2 * sum;
    }
  mkdirSync(file("merged"));
  for (const [part, bytes] of exportModelFolder(config, weights))
    writeFileSync(file(join("merged", part)), bytes);
  const ids = ["--ids", "1,2,3"];
  const adapted = await run("--model", MODEL, "--adapter", file("adapter"), ...ids);
  const whole = await run("--model", file("merged"), ...ids);
  const base = await run("--model", MODEL, ...ids);
  const apart = (one: LogitsOutput) =>
    Math.max(...adapted.json[0]!.logits.flat().map((z, i) => Math.abs(z - one.logits.flat()[i]!)));
  expect(apart(whole.json[0]!)).toBeLessThan(1e-5);
  expect(apart(base.json[0]!)).toBeGreaterThan(1e-3);
  const absent = await run("--model", MODEL, "--adapter", file("nowhere"), ...ids);
  expect([absent.code, absent.lines.at(-1)]).toEqual([
    2,
    expect.stringContaining("the adapter's adapter_config.json cannot be read"),
  ]);
});

it("keeps weights as BF16, float32 or int8, and says how far two forms are apart", async () => {
  const given = ["--model", MODEL, "--ids", "1,2,3,4,5,6,7,8"];
  const as = async (...more: string[]) => (await run(...given, ...more)).json[0]!;
  const stored = await as();
  expect((await as("--weights", "float32")).logits).toEqual(stored.logits);
  const same = await as("--against", "float32");
  expect(same).toMatchObject({ against: "float32", kl: 0, top1: 1 });
  const int8 = await as("--weights", "int8", "--against", "stored");
  expect(int8.kl).toBeGreaterThan(0);
  expect(int8.kl).toBeLessThan(0.01);
  expect(int8.top1).toBeGreaterThanOrEqual(0.75);
  const refused = await run(...given, "--weights", "int8", "--grad", file("none.json"));
  expect([refused.code, refused.lines.at(-1)]).toEqual([
    2,
    expect.stringContaining('--weights is "int8"; with --grad'),
  ]);
});

describe("large models", () => {
  it("are read in pieces, and it is said what they take", async () => {
    const folder = hollowFolder("broad", { layers: 1 });
    const { code, json, lines } = await run("--model", folder, "--ids", "1");
    expect([code, lines.length]).toEqual([0, 1]);
    expect(lines[0]).toMatch(
      /^memory: 302.MB of weights are read in pieces; parameters 302.MB, rope tables 131.kB, working memory [\d.]+.MB$/,
    );
    expect(json[0]!.logits[0]!.length).toBe(151_936);
    expect(json[0]!.logits[0]!.every((z) => z === 0)).toBe(true);
  });

  it.each([
    ["on tfjs", {}, ["--engine", "tfjs"], "its parameters need 2.0\u00a0GB, and engine tfjs holds"],
    ["beyond WebAssembly's memory", { layers: 110 }, [], "at most 1610612736 parameters would fit"],
  ])(
    "that do not fit %s are refused before they are read",
    async (what, fields, options, words) => {
      const folder = hollowFolder(what, fields);
      const { code, json, lines } = await run("--model", folder, "--ids", "1", ...options);
      expect([code, json]).toEqual([1, []]);
      expect(lines.at(-1)).toContain(words);
    },
  );
});
