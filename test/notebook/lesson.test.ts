import { describe, expect, it } from "vitest";
import { parseNotebook } from "../../src/notebook/document.ts";
import {
  cellOfStep,
  lessonOf,
  lessonSteps,
  wordsToRead,
} from "../../src/notebook/cells/lesson/steps.ts";

const TEXT = `# Better than its siblings

What a group knows.

\`\`\`lesson id=lesson
number: 2
minutes: 12
\`\`\`

## Predict: **eight** attempts

Seven fail.

\`\`\`quiz id=q
question: Which?
options: [a, b]
answer: 1
\`\`\`

## Look

\`\`\`explore id=group
figure: group
\`\`\`

\`\`\`text
## no heading
\`\`\`

## Sum up: three sentences

The end.
`;

const stepsOf = (text: string) =>
  lessonSteps(parseNotebook(text).notebook.cells.map((cell, key) => ({ key, cell })));

describe("a lesson", () => {
  it("has a step for each heading, with its kind, its words and its cells", () => {
    const steps = stepsOf(TEXT);
    expect(steps.map(({ kind, title }) => [kind, title])).toEqual([
      [null, ""],
      ["Predict", "Eight attempts"],
      [null, "Look"],
      ["Sum up", "Three sentences"],
    ]);
    expect(steps.map(({ cells }) => cells.map(({ cell }) => cell.type))).toEqual([
      ["prose"],
      ["prose", "quiz"],
      ["explore", "prose"],
      ["prose"],
    ]);
    const keys = steps.flatMap(({ cells }) => cells.map(({ key }) => key));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("says its number and its minutes; another notebook is none", () => {
    const { notebook, remarks } = parseNotebook(TEXT);
    expect(remarks).toEqual([]);
    expect(lessonOf(notebook.cells)).toEqual({ number: 2, minutes: 12 });
    expect(lessonOf(parseNotebook("# A\n").notebook.cells)).toBeNull();
    expect(lessonOf(parseNotebook("```lesson\nnumber: x\n```").notebook.cells)).toBeNull();
  });

  it("has at least one step", () => {
    expect(stepsOf("")).toEqual([{ kind: null, title: "", cells: [] }]);
  });
});

it("finds the cell that a step is about: where the lesson is copied, one goes on there", () => {
  const text =
    "# A\n\nWords.\n\n## Look: b\n\nMore.\n\n```panel id=p\npanel: ribbon\n```\n\n```code id=c\n1\n```\n\n## Sum up: c\n\nEnd.\n";
  const { cells } = parseNotebook(text).notebook;
  const keyed = cells.map((cell, key) => ({ key, cell }));
  const at = (step: number) => {
    const key = cellOfStep(keyed, step);
    return key === null ? null : cells[key]!.type;
  };
  expect([at(0), at(1), at(9)]).toEqual(["prose", "code", null]);
});

it("counts the words that are read: prose without formulas and addresses, and questions", () => {
  const quiz = "```quiz id=q\nquestion: Which is it?\noptions: [One turn, Two]\nanswer: 1\n```";
  const text = `# A b\n\nIts $x + y$ isn't [a link](https://a.example/b), 0.5 of it.\n\n$$z$$\n\n${quiz}`;
  // A b; Its isn't a link 0.5 of it; Which is it; One turn; Two.
  expect(wordsToRead(stepsOf(text))).toBe(2 + 7 + 3 + 3);
});
