/** Adapters in a spec: what is refused, links, and specs without them. */
import { expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { canonicalJson } from "../../src/spec/canonical.ts";
import { validateSpec } from "../../src/spec/experiment.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { loraConfig } from "../../src/spec/lora.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { changedSpec } from "../../src/spec/specChanges.ts";

const nano = presetSpec("nano");
const withLora = (lora: object, engine = nano.engine) => ({
  ...nano,
  engine,
  model: { ...nano.model, lora },
});

test("absent by default, and alpha and targets are those of PEFT's users", () => {
  expect(canonicalJson(nano)).not.toContain("lora");
  const all = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"];
  expect(loraConfig({ rank: 8 })).toEqual({ rank: 8, alpha: 16, targets: all });
  const targets = ["v_proj", "q_proj", "v_proj"] as ("v_proj" | "q_proj")[];
  expect(loraConfig({ rank: 4, alpha: 4, targets }).targets).toEqual(["q_proj", "v_proj"]);
});

test.each([
  [{ rank: 0 }, "model.lora.rank is 0; it must be a whole number from 1 to 4096"],
  [{ rank: 2.5 }, "model.lora.rank is 2.5; it must be a whole number from 1 to 4096"],
  [
    { rank: 33 },
    "model.lora.rank is 33; with model.preset nano it must be a whole number from 1 to 32",
  ],
  [{}, "model.lora.rank is nothing; it must be a whole number"],
  [{ rank: 8, alpha: 0 }, "model.lora.alpha is 0; it must be a number from 0.001 to 100000"],
  [{ rank: 8, targets: [] }, "model.lora.targets is []; it must be a list of at least 1"],
  [
    { rank: 8, targets: ["embed"] },
    'model.lora.targets[0] is "embed"; it must be q_proj or k_proj',
  ],
  [{ rank: 8, dropout: 0.1 }, "model.lora.dropout is not a field of model.lora; allowed: rank"],
])("%j is refused by field, value and what is allowed", (lora, message) => {
  expect(() => validateSpec(withLora(lora))).toThrow(message);
});

test("a rank is bounded by its targets alone; tfjs is refused", () => {
  validateSpec(withLora({ rank: 33, targets: ["q_proj", "gate_proj"] }));
  expect(() => validateSpec(withLora({ rank: 4 }, { name: "tfjs", backend: "cpu" }))).toThrow(
    "engine.name is tfjs; with model.lora it must be auto, wasm or webgpu",
  );
});

test.each([{ rank: 8 }, { rank: 4, alpha: 32 }, { rank: 2, targets: ["q_proj", "v_proj"] }])(
  "a link carries %j",
  (lora) => {
    const spec = validateSpec(withLora(lora));
    const { spec: read, warnings } = decodeLink(encodeLink(spec));
    expect(warnings).toEqual([]);
    expect(read).toEqual(spec);
    expect(canonicalJson(spec)).not.toBe(canonicalJson(nano));
    expect(changedSpec(spec, [["model.lora", "default"]])).toEqual(nano);
  },
);

test("spec NAME --set prints it; a bad setting is refused", async () => {
  const run = async (...argv: string[]) => {
    const [json, said]: [unknown[], string[]] = [[], []];
    const out = {
      json: (x: unknown) => void json.push(x),
      progress: (s: string) => void said.push(s),
    };
    return { code: await main(["spec", "nano", ...argv], out), json, said };
  };
  const good = await run("--set", "model.lora.rank=8", "--set", "model.lora.targets=q_proj,v_proj");
  expect(good.json).toEqual([withLora({ rank: 8, targets: ["q_proj", "v_proj"] })]);
  expect(await run("--set", "model.lora.rank=0")).toEqual({
    code: 2,
    json: [],
    said: ["model.lora.rank is 0; it must be a whole number from 1 to 4096"],
  });
  expect((await run("--set", "rank")).said[0]).toContain("it must be FIELD=VALUE");
});
