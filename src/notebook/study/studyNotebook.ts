/**
 * A study's file as a notebook: its arms in experiments, the seeds of its final runs as their sweeps,
 * its own estimators as code cells. The search, the sealed levels and the verdict are the command
 * line's; the file itself stands at the end, unchanged.
 */
import { toSpec } from "../../spec/presets.ts";
import { validateSpec, type ExperimentSpec } from "../../spec/experiment.ts";
import type { Definition } from "../../spec/definitions.ts";
import type { DrawnFrom } from "../../spec/drawnOver.ts";
import { counted } from "../../numeric/counted.ts";
import type { Cell, TypedCell } from "../cell.ts";
import { withExperiment } from "../cells/experiment/experiment.ts";
import { serialiseNotebook } from "../document.ts";
import { parseStudy, type StudyFile } from "./studyFile.ts";

/** Runs that a page's sweep takes. */
const MOST_SEEDS = 24;

/** @throws InputError naming field or line of the study, value and what is allowed. */
export function studyNotebook(text: string): string {
  const study = parseStudy(text);
  const parts = apart(study).map((arms) => specOf(study, arms));
  const definitions = parts[0]!.definitions ?? [];
  return serialiseNotebook({
    cells: [
      { type: "prose", markdown: introduction(study) },
      ...definitions.map(codeCell),
      ...parts.flatMap((spec, i) => armCells(study, spec, definitions, `arms-${i + 1}`)),
      { type: "prose", markdown: `## The study’s file\n\n\`\`\`yaml\n${text.trimEnd()}\n\`\`\`` },
    ],
  });
}

type StudyArm = StudyFile["arms"][string];

/** An experiment has each row once: arms that differ only by settings go into experiments of their own. */
function apart({ arms }: StudyFile): StudyArm[][] {
  const parts: StudyArm[][] = [];
  for (const arm of Object.values(arms)) {
    const free = parts.find((part) => !part.some(({ name }) => name === arm.name));
    if (free) free.push(arm);
    else parts.push([arm]);
  }
  return parts;
}

/** As the page trains it: with the preset's recorded episodes and engine, and as long as the final runs. */
function specOf({ base, final }: StudyFile, arms: readonly StudyArm[]): ExperimentSpec {
  const { recordEpisodes: _, engine: __, ...shared } = base;
  const spec = toSpec(shared);
  const optimisation = { ...spec.optimisation, iterations: final.iterations };
  return validateSpec({ ...spec, optimisation, algorithms: arms });
}

function armCells(
  { final, base }: StudyFile,
  spec: ExperimentSpec,
  definitions: readonly Definition[],
  id: string,
): Cell[] {
  const seeds = final.seeds.slice(0, MOST_SEEDS);
  const { preset = "nano" } = base as { preset?: string };
  return [
    typed("experiment", id, withExperiment(`preset: ${preset}`, spec, definitions)),
    {
      ...typed("sweep", `${id}-seeds`, `seeds: [${seeds.join(", ")}]\nmetrics: [heldout]`),
      of: id,
    },
  ];
}

const typed = (type: TypedCell["type"], id: string, body: string): TypedCell => ({
  type,
  id,
  of: null,
  flags: [],
  body,
});

const codeCell = ({ kind, name, source }: Definition): TypedCell => ({
  ...typed("code", name, source.trimEnd()),
  defines: kind,
});

function valuesOf(from: DrawnFrom): string {
  if (Array.isArray(from)) return from.join(", ");
  return "log" in from ? `${from.log.join(" to ")}, by logarithm` : from.linear.join(" to ");
}

function introduction({ name, arms, search, final, measure, sealed }: StudyFile): string {
  const [first, ...others] = Object.keys(arms);
  const fields = Object.entries(search.over).map(
    ([field, from]) => `| \`${field}\` | ${valuesOf(from)} |`,
  );
  return [
    `# Study: ${name}`,
    `${first} is compared with ${others.join(", ")} by ${measure}.`,
    `The command line searches ${counted(search.draws, "setting")} for each arm. It trains the best with ${counted(final.seeds.length, "seed")}, and scores them on ${sealed.levels} sealed levels: \`turnbook study run DIR\`.`,
    "Here the arms train side by side, before any search. The sweep runs the final seeds.",
    ["| searched field | values |", "|---|---|", ...fields].join("\n"),
  ].join("\n\n");
}
