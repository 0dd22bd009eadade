/**
 * verl's rollout files: one JSON object a line with `input`, `output`, `score`, `step`, `gts`, and whatever the
 * reward function added (`acc`, ...). One file per step, named after it. And what verl's main_generation makes, once
 * it is no longer Parquet: `prompt` (messages) and its `responses`.
 */
import { splitDialogue } from "./dialogue.ts";
import { bareTurn, type Findings, type ForeignEpisode, type Format } from "./foreign.ts";
import {
  flagOf,
  listOf,
  namesInOrder,
  numbersOf,
  numberOf,
  iterationNumber,
  textOrNull,
  unknownIn,
  type Fields,
} from "./values.ts";
import { words } from "./words.ts";
import { isRecord } from "../../spec/jsonText.ts";

const ALGORITHM = "verl";
/** Columns that are no measurement of the reward function. */
const OWN = ["score", "step"];

/** Columns that are read; further numbers become curves. */
const KNOWN = new Set(["input", "output", "score", "step", "acc", "uid", "request_id"]);

/** verl names a step's file after it; folders may stand before that. */
const STEP = /(?:^|\/)(\d+)\.[^/]*$/;

export const verl: Format = {
  fits: (value) =>
    isRecord(value) &&
    ((typeof value["input"] === "string" && typeof value["output"] === "string") ||
      generationsOf(value) !== null),
  reader(findings) {
    const taskName = namesInOrder("prompt");
    return {
      take(value, file) {
        if (!verl.fits(value)) return false;
        const row = value as Fields;
        const step =
          iterationNumber(row["step"]) ?? iterationNumber(Number(STEP.exec(file.name)?.[1])) ?? 0;
        findings.note(words.verl.prompt);
        const generations = generationsOf(row);
        if (generations) {
          for (const text of generations)
            findings.episode(ALGORITHM, step, generated(row, text, taskName));
          return true;
        }
        findings.episode(ALGORITHM, step, episodeOfLine(row, taskName, findings));
        findings.measured(ALGORITHM, step, extrasOf(row));
        findings.unread(unknownIn(row, KNOWN).filter((name) => numberOf(row[name]) === null));
        return true;
      },
    };
  },
};

/** Answers to one prompt, as main_generation writes them; null: the row holds no such. */
function generationsOf(row: Fields): string[] | null {
  const answers = listOf(row["responses"]);
  if (!answers || row["prompt"] == null || !answers.every((one) => typeof one === "string"))
    return null;
  return [...answers] as string[];
}

/** One answer as an episode of one turn; nobody has scored it yet. */
function generated(
  { prompt, uid }: Fields,
  text: string,
  taskName: (key: string) => string,
): ForeignEpisode {
  const said = listOf(prompt)?.map((one) =>
    isRecord(one) ? (textOrNull(one["content"]) ?? "") : "",
  );
  const asked = said?.join("\n") ?? textOrNull(prompt) ?? "";
  return {
    task: taskName(textOrNull(uid) ?? asked),
    seed: null,
    reward: null,
    success: null,
    terminated: null,
    truncated: null,
    finalObservation: "",
    turns: [bareTurn(asked, text)],
  };
}

function episodeOfLine(
  row: Fields,
  taskName: (key: string) => string,
  findings: Findings,
): ForeignEpisode {
  const { turns, rest, sure } = splitDialogue(
    textOrNull(row["input"])!,
    textOrNull(row["output"])!,
  );
  const score = numberOf(row["score"]);
  if (turns.length > 1) findings.note(words.verl.split);
  if (!sure) findings.note(words.verl.unsure);
  return {
    task: taskName(textOrNull(row["uid"]) ?? textOrNull(row["input"])!),
    seed: null,
    reward: score,
    success: flagOf(row["acc"]),
    terminated: null,
    truncated: null,
    finalObservation: rest,
    // The score of an episode of one turn is that turn's; of more, nobody wrote down whose.
    turns: turns.map(({ observation, text }) => ({
      ...bareTurn(observation, text),
      reward: turns.length === 1 ? score : null,
    })),
  };
}

/** The reward function's own columns; their means become curves. */
function extrasOf(row: Fields): Record<string, number> {
  const entries = Object.entries(numbersOf(row)).filter(([name]) => !OWN.includes(name));
  return Object.fromEntries(entries.map(([name, value]) => [`${name}/mean`, value]));
}
