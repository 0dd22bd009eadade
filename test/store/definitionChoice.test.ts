import { describe, expect, it } from "vitest";
import { definedRowName } from "../../src/spec/algorithms.ts";
import { DEFINITION_KINDS, ROW_KINDS, type Definition } from "../../src/spec/definitions.ts";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import {
  chosenDefinition,
  DEFINITION_PATHS,
  codeRows,
  withDefinition,
  withRowCode,
  type SingleKind,
} from "../../src/store/definitionChoice.ts";

const known: Definition[] = DEFINITION_KINDS.map((kind) => ({
  kind,
  name: `own_${kind}`,
  source: `// ${kind}`,
}));
const lake = presetSpec("frozenlake");
const FITTING: Partial<Record<SingleKind, ExperimentSpec>> = {
  environment: withClone(lake),
  prompt: presetSpec("talker-nano"),
};

describe("definitions chosen for an experiment", () => {
  it.each(Object.keys(DEFINITION_PATHS) as SingleKind[])(
    "%s: named, carried, taken back",
    (kind) => {
      const name = `own_${kind}`;
      const base = FITTING[kind] ?? lake;
      const chosen = withDefinition(base, [kind, name], known);
      expect(chosenDefinition(chosen, kind)).toBe(name);
      expect(chosen.definitions).toEqual([{ kind, name, source: `// ${kind}` }]);
      const without = withDefinition(chosen, [kind, ""], known);
      expect(without).toEqual(base);
    },
  );

  it.each(ROW_KINDS)("%s: makes rows, beside those that they are made of", (kind) => {
    const [first] = codeRows(lake);
    const change = { row: first!, kind, name: `own_${kind}` };
    const more = withRowCode(lake, { ...change, on: true }, known);
    const name = definedRowName(first!, kind, `own_${kind}`);
    expect(more.algorithms[1]).toEqual({ name, set: {} });
    expect(more.definitions).toMatchObject([{ kind }]);
    expect(codeRows(more)).toEqual(codeRows(lake));
    expect(withRowCode(more, { ...change, on: false }, known)).toEqual(lake);
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
