import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fieldOf,
  parseNotebook,
  serialiseNotebook,
  type Notebook,
  type TypedCell,
} from "../../src/notebook/document.ts";
import { readExperimentCell } from "../../src/notebook/experimentCell.ts";
import { presetSpec } from "../../src/spec/presets.ts";

const example = `# A title

Some prose.

\`\`\`js
const notACell = 1;
\`\`\`

\`\`\`experiment id=main
preset = nano
# a remark
seed = 3
\`\`\`

\`\`\`curves of=main
metrics = reward, success
\`\`\`
`;

const typed = (notebook: Notebook): TypedCell[] =>
  notebook.cells.filter((cell): cell is TypedCell => cell.type !== "prose");

describe("parseNotebook", () => {
  it("separates prose from cells and leaves other code blocks in the prose", () => {
    const { notebook, warnings } = parseNotebook(example);
    expect(warnings).toEqual([]);
    expect(notebook.title).toBe("A title");
    expect(notebook.cells.map(({ type }) => type)).toEqual(["prose", "experiment", "curves"]);
    expect(notebook.cells[0]).toMatchObject({ markdown: expect.stringContaining("notACell") });
    expect(typed(notebook)[0]!.fields).toEqual([
      ["preset", "nano"],
      ["seed", "3"],
    ]);
  });

  it("reads a JSON body as dotted fields", () => {
    const { notebook } = parseNotebook(
      '```experiment\n{"preset": "nano", "optimisation": {"iterations": 2}, "algorithms": ["grpo"]}\n```',
    );
    const cell = typed(notebook)[0]!;
    expect(cell.fields).toEqual([
      ["preset", "nano"],
      ["optimisation.iterations", "2"],
      ["algorithms", "grpo"],
    ]);
    expect(readExperimentCell(cell).spec.optimisation.iterations).toBe(2);
  });

  it("leaves cells inside a longer fence alone", () => {
    const { notebook } = parseNotebook("````md\n```turns\n```\n````");
    expect(notebook.cells.map(({ type }) => type)).toEqual(["prose"]);
  });

  it("gives views the experiment above them, and says when a named one is missing", () => {
    const { notebook, warnings } = parseNotebook(
      "```turns\n```\n```experiment id=a\n```\n```experiment id=b\n```\n```curves\n```\n```curves of=zzz\n```",
    );
    expect(typed(notebook).map(({ of }) => of)).toEqual(["a", null, null, "b", "b"]);
    expect(warnings.join()).toMatch(/"zzz", which is not an experiment/);
  });

  it("renumbers ids that are used twice", () => {
    const { notebook, warnings } = parseNotebook(
      "```curves id=a\n```\n```turns id=a\n```\n```turns\n```",
    );
    expect(typed(notebook).map(({ id }) => id)).toEqual(["a", "a-2", "turns"]);
    expect(warnings.join()).toMatch(/used twice/);
  });

  it("says which lines it cannot use and keeps the rest", () => {
    const { notebook, warnings } = parseNotebook("```experiment lonely\nno equals sign\nseed=4");
    expect(warnings).toHaveLength(2);
    expect(fieldOf(typed(notebook)[0]!, "seed")).toBe("4");
  });
});

describe("round trip", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "```experiment id=a",
      "```curves",
      "```turns of=a x",
      "```",
      "````",
      "~~~",
      "```js",
      "# h",
      "",
      "   ```turns",
      "key = value",
      ' k =  " a "',
      "{",
      '{"a": {"b": [1, 2]}, "__proto__": 1}',
      "{=",
      "{ = 1",
      "-",
      "\t",
    ),
    fc.string({ maxLength: 12 }),
  );

  it("reads what it wrote as the same notebook, for any text", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
        const { notebook } = parseNotebook(lines.join("\n"));
        const again = parseNotebook(serialiseNotebook(notebook));
        expect(again.notebook).toEqual(notebook);
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps every value of a field", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const cell = {
          type: "turns" as const,
          id: "t",
          of: null,
          fields: [["key", value]] as [string, string][],
        };
        const { notebook } = parseNotebook(serialiseNotebook({ title: "", cells: [cell] }));
        expect(typed(notebook)[0]!.fields).toEqual([["key", value]]);
      }),
    );
  });
});

describe("experiment cells", () => {
  const cell = (...fields: [string, string][]): TypedCell => ({
    type: "experiment",
    id: "e",
    of: null,
    fields,
  });

  it("speak the words of links", () => {
    const { spec, warnings } = readExperimentCell(cell(["seed", "9"], ["turn-ppo.gamma", "0.5"]));
    expect(warnings).toEqual([]);
    expect(spec).toMatchObject({ seed: 9, preset: "nano" });
  });

  it("turn mistakes into warnings", () => {
    const { spec, warnings } = readExperimentCell(cell(["sede", "9"]));
    expect(spec).toEqual(presetSpec("nano"));
    expect(warnings.join()).toMatch(/sede is not a field/);
  });

  it("name recordings below the page only", () => {
    expect(readExperimentCell(cell(["recording", "runs/nano.jsonl"])).recording).toBe(
      "runs/nano.jsonl",
    );
    for (const path of [
      "https://example.org/x",
      "//example.org/x",
      "/etc/passwd",
      "runs/../../x",
    ]) {
      const { recording, warnings } = readExperimentCell(cell(["recording", path]));
      expect(recording).toBeNull();
      expect(warnings).toHaveLength(1);
    }
  });
});

describe("the first lesson", () => {
  const source = readFileSync(new URL("../../public/notebooks/first.md", import.meta.url), "utf8");

  it("reads without warnings and holds an experiment with its curves and turns", () => {
    const { notebook, warnings } = parseNotebook(source);
    expect(warnings).toEqual([]);
    expect(typed(notebook).map(({ type, of }) => [type, of])).toEqual([
      ["experiment", null],
      ["curves", "first"],
      ["turns", "first"],
    ]);
    expect(readExperimentCell(typed(notebook)[0]!).warnings).toEqual([]);
  });

  it("is already in the writer's form", () => {
    expect(serialiseNotebook(parseNotebook(source).notebook)).toBe(source);
  });
});

it("takes no more than its length's time, however many cells want one name", () => {
  const started = performance.now();
  for (const unit of [
    "```turns\n```\n",
    "```turns id=a of=zz\n```\n",
    "```turns id=a-2\n```\n```turns id=a\n```\n",
    "```experiment\n```\n```turns of=x\n```\n",
    "x\n\n\n",
    " ",
    "#\n",
  ]) {
    const { cells } = parseNotebook(unit.repeat(Math.ceil(999_000 / unit.length))).notebook;
    const ids = cells.flatMap((cell) => (cell.type === "prose" ? [] : [cell.id]));
    expect(new Set(ids).size).toBe(ids.length);
  }
  expect(performance.now() - started).toBeLessThan(20_000);
});

it("a cell's body nested too deep is left out, and said to be", () => {
  const body = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  const { notebook, warnings } = parseNotebook(`\`\`\`experiment\n${body}\n\`\`\`\n`);
  expect(notebook.cells).toMatchObject([{ type: "experiment", fields: [] }]);
  expect(warnings).toEqual([
    "A cell's body starts with { but is nested deeper than 200 levels; it is left out.",
  ]);
});
