import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Notebook, TypedCell } from "../../src/notebook/cell.ts";
import { inLines, parseNotebook, serialiseNotebook } from "../../src/notebook/document.ts";
import { readBody } from "../../src/notebook/body.ts";
import { readExperiment, withExperiment } from "../../src/notebook/cells/experiment/experiment.ts";
import { changedSpec } from "../../src/spec/specChanges.ts";
import { presetNames, presetSpec } from "../../src/spec/presets.ts";
import { oddLine, oddLines } from "./oddLines.ts";

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
    const { notebook, remarks } = parseNotebook(example);
    expect(remarks).toEqual([]);
    expect(notebook.title).toBe("A title");
    expect(notebook.cells.map(({ type }) => type)).toEqual(["prose", "experiment", "curves"]);
    expect(notebook.cells[0]).toMatchObject({ markdown: expect.stringContaining("notACell") });
    expect(readBody(typed(notebook)[0]!.body).fields).toEqual({ preset: "nano", seed: "3" });
  });

  it("reads a JSON body, as YAML of which it is a part", () => {
    const { notebook } = parseNotebook(
      '```experiment\n{"preset": "nano", "optimisation": {"iterations": 2}, "algorithms": ["grpo"]}\n```',
    );
    const { spec, remarks } = readExperiment(typed(notebook)[0]!.body);
    expect(remarks).toEqual([]);
    expect(spec.optimisation.iterations).toBe(2);
    expect(spec.algorithms.map(({ name }) => name)).toEqual(["grpo"]);
  });

  it("leaves cells inside a longer fence alone", () => {
    const { notebook } = parseNotebook("````md\n```turns\n```\n````");
    expect(notebook.cells.map(({ type }) => type)).toEqual(["prose"]);
  });

  it("gives views the experiment above them, and says when a named one is missing", () => {
    const { notebook, remarks } = parseNotebook(
      "```turns\n```\n```experiment id=a\n```\n```experiment id=b\n```\n```curves\n```\n```curves of=zzz\n```",
    );
    expect(typed(notebook).map(({ of }) => of)).toEqual(["a", null, null, "b", "b"]);
    expect(inLines(remarks).join()).toMatch(/^Line 9: .*"zzz", which is not an experiment/);
  });

  it("keeps words that it does not know, and references that lead nowhere", () => {
    const text =
      "```experiment id=a\n```\n\n```curves id=c of=gone fold wide height=3\n```\n\n" +
      "```code id=k defines=magic\n1\n```\n\n~~~turns id=t of=a a`b\n~~~\n";
    const { notebook, remarks } = parseNotebook(text);
    expect(serialiseNotebook(notebook)).toBe(text);
    expect(typed(notebook)[1]).toMatchObject({ of: "a", ofWritten: "gone" });
    expect(inLines(remarks)).toEqual([
      'Line 4: "wide" after curves is neither a flag nor name=value.',
      'Line 4: curves has no "height="; allowed: id, of, after.',
      'Line 4: The cell c refers to "gone", which is not an experiment here.',
      expect.stringMatching(/^Line 7: defines is "magic"/),
      expect.stringMatching(/^Line 11: "a`b"/),
    ]);
    const again = parseNotebook(`${text}\n\`\`\`experiment id=gone\n\`\`\`\n`).notebook;
    expect(typed(again)[1]).toMatchObject({ of: "gone" });
  });

  it("renumbers ids that are used twice", () => {
    const { notebook, remarks } = parseNotebook(
      "```curves id=a\n```\n```turns id=a\n```\n```turns\n```",
    );
    expect(typed(notebook).map(({ id }) => id)).toEqual(["a", "a-2", "turns"]);
    expect(inLines(remarks).join("\n")).toMatch(/^Line 3: .*used twice/m);
  });

  it("opens the first 200 experiments, and says how many there are", () => {
    const cell = (i: number) => `\`\`\`experiment id=e${i}\nseed: ${i}\n\`\`\`\n`;
    const text = Array.from({ length: 203 }, (_, i) => cell(i)).join("") + "\nThe end.\n";
    const { notebook, remarks } = parseNotebook(text);
    expect(typed(notebook)).toHaveLength(200);
    expect(notebook.cells.at(-1)).toMatchObject({ type: "prose", markdown: "The end." });
    expect(inLines(remarks)).toEqual([
      "Line 601: The notebook has 203 experiments; the first 200 are opened.",
    ]);
  });

  it("says which lines it cannot use and keeps the rest", () => {
    const { notebook, remarks } = parseNotebook("```experiment lonely\nno equals sign\nseed=4");
    expect(inLines(remarks)).toEqual([expect.stringContaining('Line 1: "lonely"')]);
    const [cell] = typed(notebook);
    expect(cell!.body).toBe("no equals sign\nseed=4");
    const old = readExperiment("seed=4\nno equals sign");
    expect(inLines(old.remarks)).toEqual([expect.stringContaining('Line 2: "no equals sign"')]);
    expect(old.spec.seed).toBe(4);
  });

  it("says of which of two statements it uses", () => {
    const { notebook, remarks } = parseNotebook("```experiment id=one id=two\nseed: 4\n```");
    expect(typed(notebook)[0]!.id).toBe("two");
    expect(inLines(remarks)).toEqual([
      'Line 1: experiment has "id=" twice; the last, "two", is used.',
    ]);
    const lines = readExperiment("seed=4\nseed=5");
    expect(lines.spec.seed).toBe(5);
    expect(inLines(lines.remarks)).toEqual([
      "Line 2: seed stands here a second time; this line is used.",
    ]);
    const yaml = readExperiment("seed: 4\nseed: 5");
    expect(inLines(yaml.remarks)).toEqual([
      expect.stringContaining("Line 2: Map keys must be unique"),
    ]);
    const names = readExperiment("iterations: 5\noptimisation.iterations: 6");
    expect(names.remarks).toHaveLength(1);
  });

  it("keeps two cells of prose apart", () => {
    const source = "One.\n\n<!-- cell -->\n\nTwo.\n";
    const { notebook } = parseNotebook(source);
    expect(notebook.cells).toEqual([
      { type: "prose", markdown: "One." },
      { type: "prose", markdown: "Two." },
    ]);
    expect(serialiseNotebook(notebook)).toBe(source);
  });
});

describe("round trip", () => {
  it("reads what it wrote as the same notebook, for any text", () => {
    fc.assert(
      fc.property(oddLines, (lines) => {
        const { notebook } = parseNotebook(lines.join("\n"));
        const again = parseNotebook(serialiseNotebook(notebook));
        expect(again.notebook).toEqual(notebook);
      }),
      { numRuns: 1000 },
    );
  });

  it("knows a fence by any characters behind it", () => {
    const once = serialiseNotebook(parseNotebook("Words.\n\n```js\n```turns of=a\u2028").notebook);
    expect(serialiseNotebook(parseNotebook(once).notebook)).toBe(once);
    const last = serialiseNotebook(parseNotebook("Words.\n\n```turns\u2028").notebook);
    expect(last).toBe("Words.\n\n```turns id=turns\n```\n");
  });

  it("keeps any body, whatever fences it holds", () => {
    const body = fc
      .array(oddLine, { maxLength: 6 })
      .map((lines) => lines.join("\n").replace(/\r/g, ""));
    fc.assert(
      fc.property(body, (text) => {
        const cell = { type: "quiz", id: "t", of: null, flags: ["fold"], body: text } as const;
        const { notebook } = parseNotebook(serialiseNotebook({ cells: [cell] }));
        expect(notebook.cells).toEqual([cell]);
      }),
      { numRuns: 150 },
    );
  });
});

describe("bodies", () => {
  it("are YAML with remarks by line", () => {
    expect(readBody("a: 1\nb: [x, y]\nc: {d: true}").fields).toEqual({
      a: 1,
      b: ["x", "y"],
      c: { d: true },
    });
    expect(inLines(readBody("a: 1\nb: [1\nc: 2").remarks)).toEqual([
      expect.stringMatching(/^Line 3: /),
    ]);
    expect(inLines(readBody("a: 1\na: 2").remarks)).toEqual(["Line 2: Map keys must be unique."]);
    expect(readBody("- 1").remarks).toHaveLength(1);
  });

  it.each([
    ["aliases", "a: &x [1, 1]\nb: [*x, *x]"],
    ["brackets", `a: ${"[".repeat(50_000)}`],
    ["lists in lists", `a: ${"- ".repeat(40_000)}`],
    ["indents", Array.from({ length: 400 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
    ["length", `a: ${"x".repeat(200_000)}`],
  ])("refuse what could cost more than it says: %s", (_name, text) => {
    const started = performance.now();
    const { fields, remarks } = readBody(text);
    expect(fields).toEqual({});
    expect(remarks).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it("give no prototype", () => {
    const { fields } = readBody("__proto__: {polluted: 1}\nconstructor: 2");
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("are read whatever they say", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.constantFrom(
              "a:",
              " - ",
              "? ",
              "!!js ",
              "&a",
              "*a",
              "|",
              ">-",
              "%YAML 9",
              "---",
              "seed = 1",
              "{",
              "]",
              '"',
            ),
          ),
          { maxLength: 8 },
        ),
        (parts) => {
          const text = parts.join("\n");
          const { fields, remarks } = readBody(text);
          expect(typeof fields).toBe("object");
          for (const { line } of remarks) expect(line).toBeGreaterThan(0);
          const { spec } = readExperiment(text);
          expect(readExperiment(withExperiment(text, spec)).spec).toEqual(spec);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("experiment cells", () => {
  const says = (body: string) => {
    const { spec, recording, remarks } = readExperiment(body);
    return { spec, recording, warnings: inLines(remarks) };
  };

  it("speak the words of links", () => {
    for (const body of ["seed = 9\nturn-ppo.gamma = 0.5", "seed: 9\nturn-ppo: {gamma: 0.5}"]) {
      const { spec, warnings } = says(body);
      expect(warnings).toEqual([]);
      expect(spec).toMatchObject({ seed: 9, preset: "nano" });
      expect(spec.algorithms.find(({ name }) => name === "turn-ppo")!.set).toMatchObject({
        gamma: 0.5,
      });
    }
  });

  it("turn mistakes into warnings that name the line", () => {
    const { spec, warnings } = says("preset: nano\nsede: 9");
    expect(spec).toEqual(presetSpec("nano"));
    expect(warnings).toEqual([expect.stringMatching(/^Line 2: sede is not a field/)]);
  });

  it("name recordings below the page only", () => {
    expect(says("recording: runs/nano.jsonl").recording).toBe("runs/nano.jsonl");
    for (const path of [
      "https://example.org/x",
      "//example.org/x",
      "/etc/passwd",
      "runs/../../x",
    ]) {
      const { recording, warnings } = says(`recording: ${path}`);
      expect(recording).toBeNull();
      expect(warnings).toHaveLength(1);
    }
  });

  it("are written with another experiment, and keep the rest as it is", () => {
    const body =
      "# why\npreset: nano\noptimisation:\n  epochs: 1 # was 2\nrecording: runs/a.jsonl\nseed: 3";
    const { spec } = readExperiment(body);
    const other = changedSpec(spec, [
      ["seed", "1"],
      ["optimisation.epochs", "4"],
      ["algorithms", "turn-ppo"],
    ]);
    expect(withExperiment(body, other)).toBe(
      "# why\npreset: nano\noptimisation:\n  epochs: 4 # was 2\nrecording: runs/a.jsonl\nalgorithms: turn-ppo",
    );
    expect(withExperiment(body, spec)).toBe(body);
  });

  it("hold what one method has for itself, where the body says nothing of it yet", () => {
    const { spec } = says("preset: nano-fair\nturn-ppo.optimisation.actorLr: 0.03");
    expect(says(withExperiment("", spec)).spec).toEqual(spec);
  });

  it.each(presetNames)("hold preset %s, from and to any other", (name) => {
    const spec = presetSpec(name);
    expect(readExperiment(withExperiment("", spec)).spec).toEqual(spec);
    for (const other of presetNames)
      expect(
        readExperiment(withExperiment(withExperiment("", presetSpec(other)), spec)).spec,
      ).toEqual(spec);
  });
});

describe("the first lesson", () => {
  const source = readFileSync(new URL("../../public/notebooks/first.md", import.meta.url), "utf8");

  it("reads without warnings and holds a figure and an experiment with its curves and turns", () => {
    const { notebook, remarks } = parseNotebook(source);
    expect(remarks).toEqual([]);
    expect(typed(notebook).map(({ type, of }) => [type, of])).toEqual([
      ["opening", "first"],
      ["cuts", null],
      ["experiment", null],
      ["curves", "first"],
      ["turns", "first"],
    ]);
    expect(readExperiment(typed(notebook)[2]!.body).remarks).toEqual([]);
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

it("closes a block of code that prose leaves open, so that the next cell stays a cell", () => {
  const panel = parseNotebook("# T\n\n```panel id=p of=x\npanel: credits\n```\n").notebook.cells;
  for (const open of ["```js\nlet a;", "````\n```\n", "~~~\n```js"]) {
    const prose = { type: "prose", markdown: `# T\n\n${open}` } as const;
    const again = parseNotebook(serialiseNotebook({ cells: [prose, panel[1]!] })).notebook.cells;
    expect(again.map(({ type }) => type)).toEqual(["prose", "panel"]);
    expect(again[0]).toMatchObject({ markdown: expect.stringContaining(open) as string });
    // The last one needs none.
    expect(serialiseNotebook({ cells: [prose] }).trimEnd()).toBe(prose.markdown.trimEnd());
  }
});
