/** Code cells that define something, and experiments that name them. */
import { describe, expect, it } from "vitest";
import { blankCell, defineCell, insertCell, openCells } from "../../src/notebook/edit.ts";
import { parseNotebook, serialiseNotebook, type TypedCell } from "../../src/notebook/document.ts";
import {
  definitionsIn,
  readExperiment,
  withExperiment,
} from "../../src/notebook/experimentCell.ts";
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
      'defines is "magic"; it must be one of reward, estimator, segmentation, environment, expert.',
      'quiz has no "defines="; allowed: id, of.',
    ]);
  });

  it("can be a computation again", () => {
    const draft = insertCell(openCells([]), 0, blankCell("code"));
    const defining = defineCell(draft, 0, "expert");
    expect(defining.cells[0]!.cell).toMatchObject({ id: "code", defines: "expert" });
    expect(defineCell(defining, 0, undefined)).toEqual(draft);
  });
});
