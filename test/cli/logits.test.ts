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
import { exportModelFolder, loadModelFolder } from "../../src/model/folder.ts";

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

interface LogitsOutput {
  logits: number[][];
  loss?: number;
  gradNorms?: Record<string, number>;
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
