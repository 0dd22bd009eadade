/** What every lesson of the course has, whatever it teaches; and what all of them weigh. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COURSE } from "../../../src/app/course/course.ts";
import { readFields } from "../../../src/notebook/cellFields.ts";
import type { Cell, TypedCell } from "../../../src/notebook/cell.ts";
import { parseNotebook } from "../../../src/notebook/document.ts";
import { lessonSteps, type LessonStep } from "../../../src/notebook/cells/lesson/steps.ts";
import { lessonText } from "../../fixtures/lesson.ts";

const shipped = join(import.meta.dirname, "../../../public");
const tests = readdirSync(import.meta.dirname)
  .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"))
  .join("\n");

const stepsOf = (name: string) =>
  lessonSteps(
    parseNotebook(lessonText(name)).notebook.cells.map((cell, key) => ({ key: String(key), cell })),
  );

/** The lesson of a whole class has its seats in place of a figure and a recording. */
const ALONE = COURSE.filter((name) => name !== "class");

const typedIn = (steps: readonly LessonStep[]) =>
  steps.flatMap(({ cells }) => cells.map(({ cell }) => cell)).filter(isTyped);
const isTyped = (cell: Cell): cell is TypedCell => cell.type !== "prose";
const proseIn = (steps: readonly LessonStep[]) =>
  steps
    .flatMap(({ cells }) => cells.flatMap(({ cell }) => (isTyped(cell) ? [] : [cell.markdown])))
    .join("\n\n");
const ofKind = (name: string, kind: LessonStep["kind"]) =>
  stepsOf(name).filter((step) => step.kind === kind);
const quizOf = ({ body }: TypedCell) => readFields("quiz", body).value!;
const isRecorded = ({ type, body }: TypedCell) =>
  type === "experiment" && /^recording: /m.test(body);

describe.each(COURSE)("lesson %s", (name) => {
  it("begins with a question to predict, whose explanation waits", () => {
    const [, second] = stepsOf(name);
    expect(second!.kind).toBe("Predict");
    const quizzes = typedIn([second!]).filter(({ type }) => type === "quiz");
    expect(quizzes.length).toBeGreaterThan(0);
    for (const one of quizzes) expect(quizOf(one).explanation).not.toBe("");
  });

  it("has a number to be computed by hand, held to the run or the formula by a test", () => {
    const numbers = typedIn(stepsOf(name)).filter(
      (cell) => cell.type === "quiz" && quizOf(cell).kind === "number",
    );
    const held = numbers.filter(({ id }) => tests.includes(`expectAnswer("${name}", "${id}"`));
    expect(held.length).toBeGreaterThan(0);
  });

  it("trains something in the page", () => {
    const live = typedIn(ofKind(name, "Train")).filter(
      (cell) => cell.type === "experiment" && !isRecorded(cell),
    );
    expect(live.length).toBeGreaterThan(0);
  });

  it("has exercises whose last one is open", () => {
    const text = proseIn(ofKind(name, "Exercise"));
    const exercises = text.match(/^\d+\. .*/gm)!;
    expect(exercises.length).toBeGreaterThanOrEqual(3);
    expect(exercises.map((one) => one.includes("*Open.*")).lastIndexOf(true)).toBe(
      exercises.length - 1,
    );
  });

  it("sums up in three sentences, with sources that are linked and what is not known", () => {
    const last = stepsOf(name).at(-1)!;
    expect(last.kind).toBe("Sum up");
    const text = proseIn([last]);
    const [summary] = text.trim().split("\n\n");
    expect(summary!.match(/[.?!](?= |$)/g)).toHaveLength(3);
    const [, sources, unknown] = /\*\*Sources\.\*\*(.*?)\n\n[^]*?\*\*Not known\.\*\*(.*)/s.exec(
      text,
    )!;
    expect(sources).toMatch(/\]\(https:\/\//);
    expect(unknown!.trim().length).toBeGreaterThan(40);
  });
});

describe.each(ALONE)("lesson %s, of one reader,", (name) => {
  it("has a recorded run whose files are there", () => {
    const recorded = typedIn(stepsOf(name)).filter(isRecorded);
    const files = recorded.map(({ body }) => /^recording: (.*)/m.exec(body)![1]!);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect([file, existsSync(join(shipped, file))]).toEqual([file, true]);
  });

  it("has a figure with handles, or numbers, to move", () => {
    const figures = typedIn(stepsOf(name)).filter(({ type }) => type === "explore");
    expect(figures.length).toBeGreaterThan(0);
    for (const { id, body } of figures) {
      const { value, remarks } = readFields("explore", body);
      expect([id, remarks, value!.source.length > 0]).toEqual([id, [], true]);
    }
  });
});

it("puts right answers in every place alike", () => {
  const answers = COURSE.flatMap((name) =>
    typedIn(stepsOf(name))
      .filter(({ type }) => type === "quiz")
      .map(quizOf)
      .filter(({ kind, options }) => kind === "choice" && options.length === 3)
      .map(({ answer }) => answer),
  );
  expect(answers.length).toBeGreaterThan(25);
  for (const place of [1, 2, 3]) {
    const share = answers.filter((answer) => answer === place).length / answers.length;
    expect([place, share > 0.25 && share < 0.42]).toEqual([place, true]);
  }
});

const COUNTS = "zero one two three four five six seven eight nine ten".split(" ");

/** Those in words, too. */
const numbersIn = (text: string) =>
  (text.replaceAll("−", "-").match(/-?\d+(\.\d+)?|[a-z]+/g) ?? [])
    .map((one) => (COUNTS.includes(one) ? COUNTS.indexOf(one) : Number(one)))
    .filter((one) => !Number.isNaN(one));

it.each(COURSE)("%s gives neither an answer nor a sum away in a hint", (name) => {
  for (const cell of typedIn(stepsOf(name)).filter(({ type }) => type === "quiz")) {
    const { kind, answer, options, hint, explanation } = quizOf(cell);
    if (!hint) continue;
    expect(hint).not.toMatch(/\d[²%]? *[+·/−] *[(−√]*\d|exp\(|√/);
    const said = numbersIn(hint);
    if (kind === "choice") expect(hint).not.toContain(options[answer - 1]);
    else expect([cell.id, said]).not.toEqual([cell.id, expect.arrayContaining([answer])]);
    const sum = kind === "number" ? numbersIn(/^[^=]*(?= = )/.exec(explanation!)?.[0] ?? "") : [];
    if (sum.length > 0) expect([cell.id, said]).not.toEqual([cell.id, expect.arrayContaining(sum)]);
  }
});

it("weighs less than 30 MB, with recordings and models", () => {
  const bytesIn = (path: string): number =>
    statSync(path).isDirectory()
      ? readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0)
      : statSync(path).size;
  const all = ["notebooks", "runs", "figures", "models"].map((name) => join(shipped, name));
  expect(all.reduce((sum, path) => sum + bytesIn(path), 0)).toBeLessThan(30_000_000);
});
