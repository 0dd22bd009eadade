import { describe, expect, it } from "vitest";
import {
  fieldNamesOf,
  readFields,
  remarksOf,
  writtenFields,
} from "../../src/notebook/cellFields.ts";
import { kindOf, cellTypes } from "../../src/notebook/cells/kinds.ts";

describe("fields of cells", () => {
  it.each(cellTypes)("a new %s has nothing wrong", (type) => {
    expect(remarksOf(type, kindOf(type).blank)).toEqual([]);
  });

  it("take lists and words with commas alike", () => {
    for (const body of [
      "metrics: [reward, heldout]",
      "metrics: reward, heldout",
      "metrics = reward, heldout",
    ])
      expect(readFields("curves", body).value).toEqual({ metrics: ["reward", "heldout"] });
  });

  it("take any number of the run as a metric, and name what is none", () => {
    const body = "metrics: [reward, train:actor/entropy, heldout:val-env/sokoban/num_turns]";
    expect(remarksOf("curves", body)).toEqual([]);
    expect(readFields("curves", body).value!.metrics).toContain("train:actor/entropy");
    // The others are drawn all the same.
    expect(readFields("curves", "metrics: [reward, entropy]").value!.metrics).toContain("reward");
    for (const type of ["curves", "compare", "sweep"] as const)
      expect(remarksOf(type, "metrics: [reward, entropy]").map(({ message }) => message)).toEqual([
        'metrics must list reward, success, heldout, train:NAME or heldout:NAME; it has "entropy".',
      ]);
  });

  it("name what is wrong, the value's place and what is allowed", () => {
    const said = (type: "panel" | "quiz", body: string) =>
      remarksOf(type, body).map(({ line, message }) => `${line}: ${message}`);
    expect(said("panel", "at: turn-ppo,1,1,1")).toEqual(["1: panel is missing."]);
    expect(said("panel", "panel: credits\nat: turn-ppo@mine,5,1,1")).toEqual([]);
    expect(said("panel", "panel: credits\nat: <b>")).toEqual([
      "2: at must be as a link has it, method, iteration, episode, turn: turn-ppo,26,7,3.",
    ]);
    expect(said("panel", "panel: credits\nheigth: 3")).toEqual([
      "2: heigth is not a field of this cell; allowed: panel, at, settings, caption.",
    ]);
    expect(said("quiz", "question: Q\noptions: [a, b]\nanswer: 3")).toEqual([
      "3: answer is 3; it must be the number of an option, from 1.",
    ]);
    expect(said("quiz", "question: Q\noptions: [a]\nanswer: 1")).toEqual([
      "2: options needs at least two.",
    ]);
    expect(said("quiz", "question: Q\nkind: number\nanswer: -2.5\ntolerance: 0.1")).toEqual([]);
    expect(said("quiz", "question: Q\nkind: number\nanswer: .inf").join()).toContain("answer");
  });

  it("have what is wrong by name, and what is written whether it is usable or not", () => {
    const body = "question: Q\noptions: [a, b]\nanswer: 3";
    expect([...readFields("quiz", body).problems.keys()]).toEqual(["answer"]);
    expect(writtenFields(body)).toEqual({ question: "Q", options: ["a", "b"], answer: 3 });
    expect(writtenFields("options: [a")).toBeNull();
  });

  it("offer the names that a body may still have", () => {
    expect(fieldNamesOf("panel", "panel: credits")).toEqual(["at", "settings", "caption"]);
  });
});
