/** A study's file as the notebook that the page opens: arms, seeds and code are those of the file. */
import { describe, expect, it } from "vitest";
import { definitionsIn, typedCells } from "../../src/notebook/cell.ts";
import { readFields } from "../../src/notebook/cellFields.ts";
import { readExperiment } from "../../src/notebook/cells/experiment/experiment.ts";
import { planSweepCell } from "../../src/notebook/cells/sweep/plan.ts";
import { parseNotebook } from "../../src/notebook/document.ts";
import { blankEstimator, newStudy, parseStudy } from "../../src/notebook/study/studyFile.ts";
import { studyNotebook } from "../../src/notebook/study/studyNotebook.ts";
import { mergeSpec } from "../../src/spec/experiment.ts";
import { toSpec } from "../../src/spec/presets.ts";

const other = {
  kind: "estimator",
  name: "other",
  source: "export const estimate = () => [];",
} as const;

const asked = {
  name: "mine",
  against: ["turn-ppo@other", "grpo"],
  preset: "nano",
  code: [blankEstimator("mine"), other],
  study: 3,
};

function opened(text: string) {
  const { notebook, remarks } = parseNotebook(studyNotebook(text));
  expect(remarks).toEqual([]);
  const { cells } = notebook;
  const experiments = typedCells(cells)
    .filter(({ type }) => type === "experiment")
    .map(({ body }) => readExperiment(body, definitionsIn(cells)));
  for (const one of experiments) expect(one.remarks).toEqual([]);
  const sweeps = typedCells(cells).filter(({ type }) => type === "sweep");
  return { notebook, cells, specs: experiments.map(({ spec }) => spec), sweeps };
}

describe("a study opened as a notebook", () => {
  it("has its arms, settings, seeds and code", () => {
    const text = newStudy(asked);
    const { arms, base, final } = parseStudy(text);
    expect(Object.keys(arms)).toEqual(["mine", "turn-ppo-other", "grpo"]);
    const { notebook, cells, specs, sweeps } = opened(text);
    expect(notebook.title).toBe("Study: mine");
    expect(definitionsIn(cells)).toEqual(
      [blankEstimator("mine"), other].map((one) => ({ ...one, source: one.source.trimEnd() })),
    );
    const { recordEpisodes: _, engine: __, ...shared } = base;
    const expected = mergeSpec(toSpec(shared), {
      algorithms: Object.values(arms),
      optimisation: { iterations: final.iterations },
    });
    expect(specs).toHaveLength(1);
    const { definitions: code, ...rest } = specs[0]!;
    const { definitions: wanted, ...more } = expected as (typeof specs)[0];
    expect(rest).toEqual(more);
    expect(code!.map(({ name }) => name)).toEqual(wanted!.map(({ name }) => name));
    expect(sweeps[0]!.of).toBe("arms-1");
    const { settings, problems } = planSweepCell(
      specs[0]!,
      readFields("sweep", sweeps[0]!.body).value!,
    );
    expect(problems).toEqual([]);
    expect(settings.flatMap(({ runs }) => runs.map(({ seed }) => seed))).toEqual(final.seeds);
    // Nothing of the file is lost.
    expect(studyNotebook(text)).toContain(text.trimEnd());
  });

  it("gives arms of one row an experiment each", () => {
    const text = newStudy({ ...asked, name: "grpo", against: ["rloo"] }).replace(
      "  rloo:",
      '  undivided: { name: "grpo", set: { std: none } }\n  rloo:',
    );
    const { specs, sweeps } = opened(text);
    const names = specs.map(({ algorithms }) => algorithms.map(({ name }) => name));
    expect(names).toEqual([["grpo", "rloo"], ["grpo"]]);
    expect(specs[1]!.algorithms[0]!.set).toEqual({ std: "none" });
    expect(sweeps.map(({ of }) => of)).toEqual(["arms-1", "arms-2"]);
  });

  it("is refused as the command line refuses it", () => {
    expect(() => studyNotebook("name: x")).toThrow("study.yaml: arms is nothing");
    expect(() => studyNotebook("# Only prose")).toThrow("study.yaml: name is nothing");
    const text = newStudy(asked).replace("final: {", "final: { more: 1,");
    expect(() => studyNotebook(text)).toThrow("more is not a field of final; allowed: ");
  });
});

it("a row that names code needs the code", () => {
  expect(() => newStudy({ ...asked, code: [other] })).toThrow(
    'the study names the code "mine", which is not there; there is: other (estimator)',
  );
});
