/** What the editor of a cell offers at a place, without an editor. `|` is the cursor. */
import { describe, expect, it } from "vitest";
import type { CellType } from "../../src/notebook/cells/kinds.ts";
import { createStore } from "zustand/vanilla";
import { typedCells } from "../../src/notebook/cell.ts";
import { parseNotebook } from "../../src/notebook/document.ts";
import { createBookStore } from "../../src/store/bookStore.ts";
import { completionsAt, type KnownNames } from "../../src/notebook/completions.ts";
import { knownNames } from "../../src/app/book/knownNames.ts";
import { algorithmNames } from "../../src/spec/algorithms.ts";
import { listPresets, presetSpec } from "../../src/spec/presets.ts";

const listed = listPresets().map(({ name }) => name);

/** Its experiments are not opened. */
const bookOf = (text: string) => ({
  experiments: createStore(() => ({ map: new Map() })),
  store: createBookStore(text),
});

const KNOWN: KnownNames = {
  ...knownNames(bookOf(""), [], null),
  experiments: ["first", "second"],
  definitions: [
    { kind: "reward", name: "shaped" },
    { kind: "estimator", name: "mine" },
  ],
  shown: presetSpec("nano"),
};

function at(type: CellType, marked: string) {
  const body = marked.replace("|", "");
  return completionsAt(type, body, marked.indexOf("|"), KNOWN);
}

const labels = (type: CellType, marked: string) =>
  at(type, marked)?.options.map(({ label }) => label) ?? [];

/** The body once one of them is taken. */
function taken(type: CellType, marked: string, label: string): string {
  const body = marked.replace("|", "");
  const { from, options } = at(type, marked)!;
  const { apply } = options.find((one) => one.label === label)!;
  return body.slice(0, from) + apply + body.slice(marked.indexOf("|"));
}

describe("names", () => {
  it("are the fields that a cell may still have", () => {
    expect(labels("panel", "panel: credits\n|")).toEqual(["at", "settings", "caption"]);
    expect(labels("experiment", "preset: nano\nse|")).toContain("seed");
    expect(labels("experiment", "seed: 3\nse|")).not.toContain("seed");
    expect(taken("experiment", "se|", "seed")).toBe("seed: ");
  });

  it("below a group are its own, without its name", () => {
    const inside = labels("experiment", "preset: nano\noptimisation:\n  minibatch: 4\n  |");
    expect(inside).toContain("iterations");
    expect(inside).not.toContain("minibatch");
    expect(inside).not.toContain("seed");
    expect(labels("experiment", "optimisation: { minibatch: 4, it|")).toContain("iterations");
    expect(labels("experiment", "turn-ppo:\n  |")).toContain("gamma");
    expect(labels("panel", "panel: credits\nsettings:\n  |").length).toBeGreaterThan(1);
    expect(labels("sweep", "over:\n  optimisation:\n    |")).toContain("actorLr");
  });

  it("have the groups among them, which begin a line of their own", () => {
    expect(taken("experiment", "opt|", "optimisation")).toBe("optimisation:\n  ");
    expect(taken("sweep", "over:\n  opt|", "optimisation")).toBe("over:\n  optimisation:\n    ");
    expect(labels("experiment", "preset: nano\npref|")).toContain("preference");
    expect(labels("experiment", "optimisation.epochs: 2\nopt|")).not.toContain("optimisation");
  });

  it("say what holds now, and follow older lines", () => {
    const { options } = at("experiment", "preset: nano\nsee|")!;
    const { detail } = options.find(({ label }) => label === "seed")!;
    expect(detail).toBe(String(presetSpec("nano").seed));
    expect(taken("experiment", "preset = nano\nsee|", "seed")).toBe("preset = nano\nseed = ");
  });
});

describe("values", () => {
  it("are what the experiment's schema takes", () => {
    expect(labels("experiment", "preset: na|")).toEqual(listed);
    expect(labels("experiment", "engine.backend: |")).toEqual(["auto", "webgpu", "wasm", "cpu"]);
    expect(labels("experiment", "engine:\n  backend: w|")).toContain("webgpu");
    expect(labels("experiment", "engine: { backend: w|")).toContain("webgpu");
    expect(labels("experiment", "evaluation.alignment: |")).toEqual(["true", "false"]);
    expect(labels("experiment", "preference: |")).toEqual(["on", "none"]);
    expect(labels("experiment", "preference.methods: [|")).toContain("dpo");
    expect(labels("experiment", "grpo.whiten: |")).toContain("turns");
    expect(labels("experiment", "preset = |")).toEqual(listed);
    expect(labels("experiment", "seed: |")).toEqual([]);
  });

  it("are methods, also with the notebook's own code", () => {
    for (const body of ["algorithms: |", "algorithms: grpo, |", "algorithms: [grpo, |"])
      expect(labels("experiment", body)).toEqual(expect.arrayContaining([...algorithmNames]));
    expect(labels("experiment", "algorithms:\n  - grpo\n  - |")).toContain("rloo");
    expect(labels("experiment", "algorithms: |")).toContain("turn-ppo@mine");
    expect(labels("experiment", "environment.reward: |")).toEqual(["shaped"]);
    expect(labels("experiment", "clone.expert: |")).toEqual([]);
  });

  it("are the names of panels, metrics and experiments", () => {
    expect(labels("panel", "panel: |")).toContain("credits");
    expect(labels("panel", "panel: curves\nsettings: { axis: |")).toContain("tokens");
    expect(labels("curves", "metrics: [reward, |")).toEqual(["reward", "success", "heldout"]);
    expect(labels("compare", "experiments: |")).toEqual(["first", "second"]);
    expect(labels("quiz", "kind: |")).toEqual(["choice", "number", "order", "turn"]);
    expect(labels("sweep", "over:\n  engine.backend: [wasm, |")).toContain("cpu");
  });
});

it("offers nothing in remarks, texts and code, nor behind what is finished", () => {
  for (const body of [
    "# pre|",
    "preset: nano # a|",
    "preset: nano x|",
    "engine: { backend: cpu } |",
  ])
    expect(at("experiment", body)).toBeNull();
  expect(at("quiz", 'question: "kind: |')).toBeNull();
  expect(at("code", "|")).toBeNull();
  // No group: its line has a value.
  expect(at("experiment", "seed: 3\n  |")).toBeNull();
});

const NAMED = `\`\`\`experiment id=run
preset: nano
\`\`\`

\`\`\`input id=share
kind: slider
\`\`\`

\`\`\`code id=rows
1
\`\`\`

\`\`\`code id=code-2
2
\`\`\`

\`\`\`code id=mine defines=reward
export default () => 0;
\`\`\`

\`\`\`panel id=credits of=run
panel: credits
\`\`\`
`;

it("offers to code what it can read: other code, inputs and runs that are variables", () => {
  const { cells } = parseNotebook(NAMED).notebook;
  const names = (own: string) => {
    const cell = typedCells(cells).find(({ id }) => id === own)!;
    return knownNames(bookOf(NAMED), [], cell).code.map(([name]) => name);
  };
  expect(names("code-2")).toEqual(["run", "share", "rows"]);
  expect(names("rows")).toEqual(["run", "share"]);
  expect(names("mine")).toEqual([]);
});
