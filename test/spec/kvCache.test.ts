/** A cache in float16 in a spec: absent by default, on WebGPU alone, in links, in the memory that a run is told beforehand. */
import { expect, test } from "vitest";
import { canonicalJson } from "../../src/spec/canonical.ts";
import { validateSpec } from "../../src/spec/experiment.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { changedSpec } from "../../src/spec/specChanges.ts";

const nano = presetSpec("nano");
const onCard = { name: "auto", backend: "webgpu" } as const;
const withCache = (kvCache: string, engine: object = onCard) => ({
  ...nano,
  engine,
  sampling: { ...nano.sampling, kvCache },
});

test("it is absent by default, and a link carries it", () => {
  expect(canonicalJson(nano)).not.toContain("kvCache");
  const spec = validateSpec(withCache("float16"));
  const { spec: read, warnings } = decodeLink(encodeLink(spec));
  expect(warnings).toEqual([]);
  expect(read).toEqual(spec);
  expect(changedSpec(spec, [["sampling.kvCache", "default"]])).toEqual({ ...nano, engine: onCard });
});

test.each([
  [{ name: "webgpu", backend: "auto" }, null],
  [
    { name: "auto", backend: "auto" },
    'engine.name is "auto" with engine.backend "auto"; sampling.kvCache needs engine.name "webgpu"',
  ],
  [
    { name: "tfjs", backend: "webgpu" },
    'engine.name is "tfjs" with engine.backend "webgpu"; sampling.kvCache needs engine.name "webgpu"',
  ],
])("with %j: %s", (engine, message) => {
  const validate = () => validateSpec(withCache("float16", engine));
  if (message === null) validate();
  else expect(validate).toThrow(message);
});

test("another form is refused by field and value, and one for a method alone as well", () => {
  expect(() => validateSpec(withCache("int8"))).toThrow('sampling.kvCache is "int8"');
  const algorithms = [{ ...nano.algorithms[0]!, with: { sampling: { kvCache: "float16" } } }];
  expect(() => validateSpec({ ...nano, engine: onCard, algorithms })).toThrow("kvCache");
});
