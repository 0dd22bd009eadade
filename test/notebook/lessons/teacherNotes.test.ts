/** Notes for teachers follow a lesson step by step, and no page for students leads to them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COURSE } from "../../../src/app/course/course.ts";
import { formatClock } from "../../../src/app/present/TeacherWindow.tsx";
import { lightStep, movedPoint } from "../../../src/app/present/talk.ts";
import { taughtId } from "../../../src/app/present/taughtId.ts";
import { notesByStep, taughtLesson } from "../../../src/app/present/teacherNotes.ts";
import { readFields } from "../../../src/notebook/cellFields.ts";

const folder = join(import.meta.dirname, "../../../public/notebooks");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const taught = readdirSync(join(folder, "teacher"));

/** By their headings. */
const sections = (text: string) =>
  new Map(text.split(/^## /m).map((part) => [part.slice(0, part.indexOf("\n")), part]));

describe("notes of the lessons", () => {
  it("belong to lessons of the course", () => {
    expect(COURSE).toEqual(expect.arrayContaining(taught.map((file) => file.replace(/\.md$/, ""))));
  });

  it.each(taught)("%s has notes for every step of its lesson, and for no other", (file) => {
    const notes = read(`teacher/${file}`);
    const lesson = taughtLesson(read(file), notes);
    for (const step of lesson.steps)
      expect([step.title, step.notes.length > 40]).toEqual([step.title, true]);
    expect(notesByStep(notes).size).toBe(lesson.steps.length);
  });

  it.each(taught)("%s answers what its lesson asks there", (file) => {
    const notes = sections(read(`teacher/${file}`));
    for (const [title, text] of sections(read(file))) {
      const line = /\*\*Answers?: ([^*]*)\*\*/.exec(notes.get(title) ?? "")?.[1] ?? "";
      const said = [...line.matchAll(/(?<![\d.=])−?\d[\d.]*\d|(?<![\d.])−?\d/g)].map(([one]) =>
        Number(one.replace("−", "-")),
      );
      if (said.length === 0) continue;
      const bodies = [...text.matchAll(/^```quiz.*\n([^]*?)^```/gm)].map(([, body]) => body!);
      const answers = bodies.map((body) => readFields("quiz", body).value!.answer);
      expect([title, answers]).toEqual([title, expect.arrayContaining(said)]);
    }
  });

  it("no notebook links to them", () => {
    const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));
    for (const name of pages) expect(read(name)).not.toContain("teacher/");
  });
});

it("leaves steps without notes empty, and knows a lesson without notes", () => {
  const lesson =
    "# A\n\nWords.\n\n```lesson id=l\nnumber: 1\nminutes: 8\n```\n\n## Predict: b\n\nx\n\n## C\n\ny";
  const steps = [
    { kind: null, title: "A", notes: "First." },
    { kind: "Predict", title: "B", notes: "" },
    { kind: null, title: "C", notes: "Last." },
  ];
  const notes = "# T\n\nFirst.\n\n## C\n\nLast.";
  expect(taughtLesson(lesson, notes)).toEqual({ title: "A", minutes: 8, hasNotes: true, steps });
  expect(taughtLesson(lesson, null).hasNotes).toBe(false);
});

it("reads the projector's id from the address, moves the spotlight within the window, writes the time", () => {
  expect(taughtId("?teacher=ab12-c")).toBe("ab12-c");
  for (const search of ["", "?teacher=", "?teacher=a/b", "?embed=x"])
    expect(taughtId(search)).toBeNull();
  expect(movedPoint({ x: 0.99, y: 0 }, 0.04, -0.04)).toEqual({ x: 1, y: 0 });
  expect(lightStep("ArrowUp")).toEqual({ dx: 0, dy: -0.04 });
  expect(lightStep("a")).toBeNull();
  expect([0, 59_999, 425_000].map(formatClock)).toEqual(["0:00", "0:59", "7:05"]);
});
