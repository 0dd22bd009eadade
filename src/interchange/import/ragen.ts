/**
 * RAGEN's rollouts: a list of episodes, each with its environment manager's `history` (state,
 * answer, actions, reward, info of each turn; the last entry is the final state), or a list of such
 * histories. Rows with only `messages_list` give the conversation without rewards.
 */
import { show } from "../../numeric/inputError.ts";
import {
  bareTurn,
  type Findings,
  type ForeignEpisode,
  type ForeignTurn,
  type Format,
} from "./foreign.ts";
import {
  flagOf,
  listOf,
  namesInOrder,
  numberOf,
  numbersOf,
  sumKnown,
  textOrNull,
  type Fields,
} from "./values.ts";
import { words } from "./words.ts";
import { isRecord } from "../../spec/jsonText.ts";

/** What the page says of RAGEN's files. */
export const ragenWords = {
  penalty:
    "RAGEN's format penalty is part of an episode's reward, not of any turn's. " +
    "Credits count it in the last turn, as RAGEN does.",
  score:
    "Scores are those RAGEN trained on: they include format penalties, and reward normalisation where it was on.",
  noPenalty: "The files have no format penalty: an episode's reward is the sum of its turns'.",
  action: (id: number) => `action ${id}`,
  iteration: "The files do not name the training step: each file counts as one iteration.",
} as const;

const ALGORITHM = "ragen";

export const ragen: Format = {
  apart: "folder",
  fits: (value) => ragenRow(value) !== null,
  reader(findings) {
    const startName = namesInOrder("start state");
    return {
      take(value, file) {
        const row = ragenRow(value);
        if (!row) return false;
        const iteration = file.step ?? Math.max(1, file.iteration);
        if (file.step === null) findings.note(ragenWords.iteration);
        noteRow(row, findings);
        findings.episode(ALGORITHM + file.run, iteration, episodeOfRow(row, startName));
        findings.measured(ALGORITHM + file.run, iteration, numbersOf(row["metrics"]));
        return true;
      },
    };
  },
};

function noteRow(row: Fields, findings: Findings): void {
  if (numberOf(row["penalty"])) findings.note(ragenWords.penalty);
  if (scoreOf(row) !== null) findings.note(ragenWords.score);
  else if (row["penalty"] === undefined) findings.note(ragenWords.noPenalty);
  const lists = [row["history"], row["messages_list"]];
  if (lists.some((list) => listOf(list)?.some((entry) => !isRecord(entry))))
    findings.warn(words.oddEntries);
}

function isHistory(one: unknown): boolean {
  return listOf(one)?.some((entry) => isRecord(entry) && "state" in entry) ?? false;
}

/** An episode in any of the shapes; a bare history becomes a row. */
function ragenRow(value: unknown): Fields | null {
  if (isHistory(value)) return { history: value };
  if (!isRecord(value)) return null;
  return isHistory(value["history"]) || listOf(value["messages_list"]) ? value : null;
}

function episodeOfRow(row: Fields, startName: (key: string) => string): ForeignEpisode {
  const entries = (listOf(row["history"]) ?? []).filter(isRecord);
  const tag = textOrNull(row["tag"]) ?? "";
  const { turns, last } = entries.length > 0 ? fromHistory(entries, tag) : fromMessages(row);
  const group = groupOf(row["group_id"]) ?? groupOf(row["group_ids"]);
  const sum = sumKnown(turns.map(({ reward }) => reward));
  // If the penalty is present but not a number, the reward is unknown.
  const penalty = row["penalty"] === undefined ? 0 : numberOf(row["penalty"]);
  return {
    task: [tag, group === null ? startName(turns[0]?.observation ?? "") : `group ${group}`]
      .join(" ")
      .trim(),
    seed: numberOf(row["seed"]),
    reward: scoreOf(row) ?? (sum === null || penalty === null ? null : sum + penalty),
    ...(scoreOf(row) === null && sum !== null && penalty && { penalty }),
    success: successOf(row, tag, entries),
    terminated: null,
    truncated: null,
    finalObservation: last,
    turns,
  };
}

function groupOf(value: unknown): string | number | null {
  return numberOf(value) ?? textOrNull(value);
}

/** RAGEN's training score, if the row has a conversation but no rewards of turns. */
function scoreOf(row: Fields): number | null {
  return isHistory(row["history"]) ? null : numberOf(row["score"]);
}

/** RAGEN writes it with the episode, and into the environment's info of its turns. */
function successOf(row: Fields, tag: string, entries: readonly Fields[]): boolean | null {
  const metrics = isRecord(row["metrics"]) ? row["metrics"] : {};
  const said = entries.map(({ info }) => (isRecord(info) ? flagOf(info["success"]) : null));
  return flagOf(metrics[`${tag}/success`]) ?? said.findLast((one) => one !== null) ?? null;
}

function fromHistory(
  entries: readonly Fields[],
  tag: string,
): { turns: ForeignTurn[]; last: string } {
  const answered = (entry: Fields) =>
    textOrNull(entry["llm_response"]) ?? textOrNull(entry["llm_raw_response"]);
  const turns = entries
    .filter((entry) => answered(entry) !== null)
    .map((entry) => ({
      ...bareTurn(textOrNull(entry["state"]) ?? "", answered(entry)!),
      actions: listOf(entry["actions"])?.map((action) => nameOf(action, tag)) ?? null,
      reward: numberOf(entry["reward"]),
    }));
  const end = entries.at(-1)!;
  return { turns, last: answered(end) === null ? (textOrNull(end["state"]) ?? "") : "" };
}

/** RAGEN's `action_lookup` of its Sokoban environments, whose actions are numbered from 1. */
const SOKOBAN = ["Up", "Down", "Left", "Right"];

/** Names unchanged, numbers as names if the environment's are known; an object's own `toString` is not trusted. */
function nameOf(action: unknown, tag: string): string {
  if (typeof action === "number")
    return (/sokoban/i.test(tag) && SOKOBAN[action - 1]) || ragenWords.action(action);
  return typeof action === "object" ? show(action) : String(action);
}

function fromMessages(row: Fields): { turns: ForeignTurn[]; last: string } {
  const turns: ForeignTurn[] = [];
  let heard: string[] = [];
  for (const message of (listOf(row["messages_list"]) ?? []).filter(isRecord)) {
    const content = textOrNull(message["content"]) ?? "";
    if (message["role"] !== "assistant") heard.push(content);
    else {
      turns.push(bareTurn(heard.join("\n"), content));
      heard = [];
    }
  }
  return { turns, last: heard.join("\n") };
}
