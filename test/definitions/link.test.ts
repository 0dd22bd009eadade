/** A link carries the code of an experiment; anything else is left out with a sentence, and nothing is run. */
import { expect, test } from "vitest";
import { definitionsToText } from "../../src/spec/definitionsText.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { example, examples, lakeSpec } from "./examples.ts";

const one = lakeSpec({
  definitions: [example("turnPpo")],
  algorithms: ["turn-ppo", "turn-ppo@turnPpo"].map((name) => ({ name, set: { gamma: 0.9 } })),
});
const corridor = {
  kind: "defined",
  definition: "corridor",
  trainLevels: 0,
  maxTurns: 6,
  formatPenalty: -0.1,
};
const all = lakeSpec({
  definitions: [...examples],
  environment: { ...corridor, reward: "hurry" },
  optimisation: { ...lakeSpec().optimisation, segmentation: "pairs" },
  clone: { ...lakeSpec().clone, expert: "wanderer" },
});

test.each([one, all])("there and back without loss", (spec) => {
  const link = encodeLink(spec);
  expect(link.length).toBeLessThan(4096);
  expect(decodeLink(link)).toMatchObject({ spec, warnings: [] });
});

test.each([
  "definitions=abc",
  `definitions=${definitionsToText([{ ...example("turnPpo"), source: "x".repeat(500_000) }])}`,
  `definitions=${definitionsToText([{ ...example("turnPpo"), name: "a b" }])}`,
  `definitions=${definitionsToText(3 as never)}`,
  "environment=%7B%22kind%22%3A%22defined%22%7D",
  "environment=3",
  "algorithms=turn-ppo@mine",
])("%s is left out with a sentence", (change) => {
  const { spec, warnings } = decodeLink(`#v1/nano?${change.slice(0, 4000)}`);
  expect(warnings).toHaveLength(1);
  expect(spec.definitions).toBeUndefined();
  expect(spec.environment.kind).toBe("sokoban");
});
