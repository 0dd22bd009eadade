/** Code cells that define something, and experiments that name them. */
import { describe, expect, it } from "vitest";
import { textOfCell, definitionsIn, type TypedCell } from "../../src/notebook/cell.ts";
import {
  blankCell,
  defineCell,
  insertCell,
  openCells,
  renameCell,
} from "../../src/notebook/edit.ts";
import { parseNotebook, serialiseNotebook } from "../../src/notebook/document.ts";
import { readExperiment, withExperiment } from "../../src/notebook/cells/experiment/experiment.ts";
import { encodeLink, decodeLink } from "../../src/spec/link.ts";

const REWARD =
  "export function reward({ reward, done }) {\n  return done ? reward : reward - 0.05;\n}";
const TEXT = `# Hurry

\`\`\`code id=hurry defines=reward
${REWARD}
\`\`\`

\`\`\`code id=unused defines=estimator
export function estimate() {}
\`\`\`

\`\`\`experiment id=first
preset: nano
environment:
  reward: hurry
\`\`\`
`;

const { notebook, remarks } = parseNotebook(TEXT);
const definitions = definitionsIn(notebook.cells);
const body = (notebook.cells.at(-1) as TypedCell).body;

describe("a definition in a notebook", () => {
  it("is a cell of its own, which is written as it was read", () => {
    expect(remarks).toEqual([]);
    expect(definitions.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "reward hurry",
      "estimator unused",
    ]);
    expect(serialiseNotebook(notebook)).toBe(TEXT);
  });

  it("is part of the experiments that name it, and of their links", () => {
    const { spec, remarks: problems } = readExperiment(body, definitions);
    expect(problems).toEqual([]);
    expect(spec.definitions).toEqual([{ kind: "reward", name: "hurry", source: REWARD }]);
    expect(spec.environment).toMatchObject({ reward: "hurry" });
    expect(decodeLink(encodeLink(spec)).spec).toEqual(spec);
    expect(readExperiment("preset: nano", definitions).spec.definitions).toBeUndefined();
  });

  it("stays in its cell when the experiment's form is written down", () => {
    const { spec } = readExperiment(body, definitions);
    const changed = withExperiment(body, { ...spec, seed: 7 }, definitions);
    expect(changed).toBe(`${body}\nseed: 7`);
    expect(readExperiment(changed, definitions).spec).toEqual({ ...spec, seed: 7 });
    // Code that is in no cell stays with the experiment.
    expect(withExperiment(body, spec, [])).toContain("definitions:");
  });

  it("that is missing is said with what there is", () => {
    const { remarks: problems } = readExperiment(body, []);
    expect(problems.map(({ line }) => line)).toEqual([3]);
    expect(problems[0]!.message).toMatch(/environment.reward.*hurry/);
    const odd = parseNotebook(
      "```code id=a defines=magic\n1\n```\n\n```quiz id=q defines=reward\n```",
    );
    expect(odd.remarks.map(({ message }) => message)).toEqual([
      'defines is "magic"; it must be one of reward, estimator, ratio, clip, aggregation, filter, regulariser, segmentation, environment, prompt, expert.',
      'quiz has no "defines="; allowed: id, of, after.',
    ]);
  });

  it("can be a computation again", () => {
    const draft = insertCell(openCells([]), 0, blankCell("code"));
    const defining = defineCell(draft, 0, "expert");
    expect(defining.cells[0]!.cell).toMatchObject({ id: "code", defines: "expert" });
    expect(defineCell(defining, 0, undefined)).toEqual(draft);
  });

  it("that is an environment is named by fields, and what is usual is left out", () => {
    const code = { kind: "environment", name: "corridor", source: "export const x = 1;" } as const;
    const named =
      "preset: nano\nenvironment:\n  kind: defined # a corridor\n  definition: corridor";
    const { spec, remarks: problems } = readExperiment(`${named}\n  maxTurns: 6`, [code]);
    expect(problems).toEqual([]);
    expect(spec.environment).toEqual({
      ...{ kind: "defined", definition: "corridor" },
      ...{ trainLevels: 0, maxTurns: 6, formatPenalty: -0.1 },
    });
    expect(spec.definitions).toEqual([code]);
    const text = JSON.stringify(spec.environment);
    const whole = readExperiment(`preset: nano\nenvironment: '${text}'`, [code]).spec;
    expect(whole).toEqual(spec);
    const flat = "preset = nano\nenvironment.kind = defined\nenvironment.definition = corridor";
    expect(readExperiment(`${flat}\nenvironment.maxTurns = 6`, [code]).spec).toEqual(spec);
    const wrong = readExperiment(named.replace("definition: corridor", "definition: nobody"), [
      code,
    ]);
    expect(wrong.remarks.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      expect.stringMatching(/^4: environment.definition is "nobody"; allowed: /),
    ]);
  });

  it("that is an environment is written down by fields", () => {
    const code = { kind: "environment", name: "corridor", source: "export const x = 1;" } as const;
    const named =
      "preset: nano\nenvironment:\n  kind: defined # a corridor\n  definition: corridor";
    const { spec } = readExperiment(named, [code]);
    const written = (from: string, environment: object) =>
      withExperiment(from, { ...spec, environment } as typeof spec, [code]);
    expect(written(named, spec.environment)).toBe(named);
    const longer = written(named, { ...spec.environment, maxTurns: 7 });
    expect(longer).toBe(`${named}\n  maxTurns: 7`);
    expect(written("preset: nano", spec.environment)).toContain("environment: {kind: defined");
    const nano = readExperiment("preset: nano").spec;
    expect(withExperiment(longer, nano)).toBe("preset: nano");
  });
});

describe("names", () => {
  const code = (id: string, source: string, defines = "") =>
    `\`\`\`code id=${id}${defines && ` defines=${defines}`}\n${source}\n\`\`\`\n`;
  const experiment = (lines: string) => `\`\`\`experiment id=first\n${lines}\n\`\`\`\n`;
  const bodies = (draft: ReturnType<typeof openCells>) =>
    draft.cells.map(({ cell }) => textOfCell(cell));

  it("of code can be within code", () => {
    let draft = openCells([]);
    for (const type of ["code", "code", "panel", "panel"] as const)
      draft = insertCell(draft, draft.cells.length, blankCell(type));
    const ids = draft.cells.map(({ cell }) => cell.type !== "prose" && cell.id);
    expect(ids).toEqual(["code", "code_2", "panel", "panel-2"]);
    const read = parseNotebook("```code\n```\n```code\n```\n").notebook.cells;
    expect(read.map((cell) => cell.type !== "prose" && cell.id)).toEqual(["code", "code_2"]);
    expect(renameCell(draft, 1, "2 my-code").cells[1]!.cell).toMatchObject({ id: "my_code" });
    const old = openCells(parseNotebook(code("code-2", "1")).notebook.cells);
    expect(defineCell(old, 0, "reward").cells[0]!.cell).toMatchObject({ id: "code_2" });
  });

  it.each([
    ["reward", "environment: {reward: mine} # mine", "environment: {reward: yours} # mine"],
    ["reward", "environment.reward = mine", "environment.reward = yours"],
    [
      "segmentation",
      'optimisation:\n  segmentation: "mine"',
      'optimisation:\n  segmentation: "yours"',
    ],
    [
      "segmentation",
      "turn-ppo.optimisation.segmentation: mine",
      "turn-ppo.optimisation.segmentation: yours",
    ],
    ["expert", "clone: {expert: mine}", "clone: {expert: yours}"],
    [
      "environment",
      "environment: {kind: defined, definition: mine}",
      "environment: {kind: defined, definition: yours}",
    ],
    [
      "environment",
      `environment: '{"kind":"defined","definition":"mine"}'`,
      `environment: '{"kind":"defined","definition":"yours"}'`,
    ],
    [
      "estimator",
      "algorithms: [grpo, turn-ppo@mine, turn-ppo@mine2]\nturn-ppo@mine: {gamma: 0.5}",
      "algorithms: [grpo, turn-ppo@yours, turn-ppo@mine2]\nturn-ppo@yours: {gamma: 0.5}",
    ],
    ["estimator", "algorithms = grpo,turn-ppo@mine", "algorithms = grpo,turn-ppo@yours"],
  ])("of a definition (%s) are followed by experiments: %s", (kind, before, after) => {
    const text = code("mine", "export function f() {}", kind) + experiment(before);
    const draft = renameCell(openCells(parseNotebook(text).notebook.cells), 0, "yours");
    expect(bodies(draft)[1]).toBe(after);
  });

  it("of an experiment are followed by comparisons, and by code that was rewritten", () => {
    const text =
      experiment("preset: nano") +
      "```compare id=both\nexperiments: [first, first-2] # first\n```\n" +
      code("a", "runs.first") +
      "```panel id=first-panel of=first\npanel: credits\n```\n";
    const start = openCells(parseNotebook(text).notebook.cells);
    const draft = renameCell(start, 0, "base", new Map([["runs.first", "runs.base"]]));
    expect(bodies(draft).slice(1, 3)).toEqual([
      "experiments: [base, first-2] # first",
      "runs.base",
    ]);
    expect(draft.cells[3]!.cell).toMatchObject({ id: "first-panel", of: "base" });
  });
});
