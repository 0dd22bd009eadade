import { describe, expect, it } from "vitest";
import { DEFINITION_KINDS, type Definition } from "../../src/spec/definitions.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import {
  chosenDefinition,
  DEFINITION_PATHS,
  estimatorRows,
  withDefinition,
  withEstimator,
  type SingleKind,
} from "../../src/store/definitionChoice.ts";

const known: Definition[] = DEFINITION_KINDS.map((kind) => ({
  kind,
  name: `own_${kind}`,
  source: `// ${kind}`,
}));
const lake = presetSpec("frozenlake");

describe("definitions chosen for an experiment", () => {
  it.each(Object.keys(DEFINITION_PATHS) as SingleKind[])(
    "%s: named, carried, taken back",
    (kind) => {
      const name = `own_${kind}`;
      const base = kind === "environment" ? withClone(lake) : lake;
      const chosen = withDefinition(base, [kind, name], known);
      expect(chosenDefinition(chosen, kind)).toBe(name);
      expect(chosen.definitions).toEqual([{ kind, name, source: `// ${kind}` }]);
      const without = withDefinition(chosen, [kind, ""], known);
      expect(without).toEqual(base);
    },
  );

  it("make rows of estimators, beside those that they are made of", () => {
    const [first] = estimatorRows(lake);
    const change = { row: first!, name: "own_estimator" };
    const more = withEstimator(lake, { ...change, on: true }, known);
    expect(more.algorithms[1]).toEqual({ name: `${first}@own_estimator`, set: {} });
    expect(estimatorRows(more)).toEqual(estimatorRows(lake));
    expect(withEstimator(more, { ...change, on: false }, known)).toEqual(lake);
  });

  it("that do not go with the rest are refused in a sentence", () => {
    expect(() => withDefinition(lake, ["reward", "nobody"], known)).toThrow(
      /environment.reward.*nobody.*own_reward|environment.reward.*nobody/,
    );
  });
});

/** Shipped weights have learned another environment. */
function withClone(spec: typeof lake): typeof lake {
  return { ...spec, model: { ...spec.model, warmStart: "clone" } };
}
