/**
 * RAGEN's rollouts. `rollout_cache`: a list of episodes, each with its environment manager's `history` (state,
 * answer, actions, reward, info of each turn; the last entry is the final state), or a list of such
 * histories. Rows with only `messages_list` give the conversation without rewards.
 * `val_rollouts_*.pkl`: verl's DataProto, whose columns are the same, with the scores by token.
 * `val_rollouts_*.jsonl`: messages with rewards in their text (`ragen/llm_agent/agent_proxy.py`).
 */
import { show } from "../../numeric/inputError.ts";
import { significant } from "../../numeric/significant.ts";
import { torchSaved } from "../container/open.ts";
import { turnsOfMessages } from "./conversation.ts";
import {
  bareEpisode,
  bareTurn,
  type Findings,
  type ForeignEpisode,
  type ForeignTurn,
  type Format,
} from "./foreign.ts";
import {
  flagOf,
  listOf,
  nameFrom,
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
  spoken:
    "RAGEN's JSONL has no reward of the first turn; the others' stand in its messages, and its total includes the penalty.",
  iteration: "The files do not name the training step: each file counts as one iteration.",
} as const;

const ALGORITHM = "ragen";
const VALIDATION = /val_rollouts_\d+/;
/** Above it a number in a name is a date. */
const MOST_FILES = 100_000;

/** A line of its JSONL. */
function isSpokenRow(value: unknown): value is Fields {
  return (
    isRecord(value) &&
    listOf(value["messages"]) !== null &&
    isRecord(value["metadata"]) &&
    "env_id" in value["metadata"]
  );
}

/**
 * The rows of a DataProto: its state is tensors as bytes of torch.save, columns, and metrics of the
 * batch.
 */
function protoRows(value: unknown): Fields[] | null {
  const state = isRecord(value) ? listOf(value["state"]) : null;
  const columns = state?.[1];
  if (!state || !isRecord(columns) || !listOf(columns["history"])) return null;
  const tensors = state[0] instanceof Uint8Array ? torchSaved(state[0]) : null;
  const data = isRecord(tensors) && isRecord(tensors["state"]) ? tensors["state"]["data"] : null;
  const scores = isRecord(data) ? listOf(data["rm_scores"]) : null;
  const cell = (name: string, i: number) => listOf(columns[name])?.[i];
  return listOf(columns["history"])!.map((history, i) => ({
    history,
    group_id: cell("group_ids", i),
    metrics: cell("metrics", i),
    tag: tagIn(cell("metrics", i)),
    penalty: penaltyOf(sumKnown((listOf(scores?.[i]) ?? []).map(numberOf)), history),
  }));
}

/** What a score has beyond the rewards of its turns; rounded, since scores have 32 bits. */
function penaltyOf(score: number | null, history: unknown): number | undefined {
  const entries = (listOf(history) ?? []).filter(isRecord);
  const sum = sumKnown(
    entries.filter((one) => "reward" in one).map(({ reward }) => numberOf(reward)),
  );
  return score === null || sum === null ? undefined : significant(Math.fround(score - sum), 5);
}

/** The environment's name stands before its metrics' own. */
function tagIn(metrics: unknown): string {
  const name = Object.keys(isRecord(metrics) ? metrics : {}).find((key) =>
    key.endsWith("/success"),
  );
  return name?.replace(/\/success$/, "") ?? "";
}

const IN_TEXT = / \(reward: (-?[\d.]+(?:e-?\d+)?)\)$/;

/**
 * A message before a turn ends in that turn's reward, if it is not 0 and the turn is not the first.
 * `success` in it is always false: the environment's own name says it.
 */
function episodeOfSpoken(row: Fields): ForeignEpisode {
  const about = row["metadata"] as Fields;
  const tag = tagIn(about);
  const { turns, last } = turnsOfMessages(row["messages"]);
  const said = turns.map(({ observation }) => IN_TEXT.exec(observation));
  return {
    ...bareEpisode(
      [tag, `group ${nameFrom(about["group_id"]) ?? "?"}`].join(" ").trim(),
      numberOf(about["total_reward"]),
      turns.map((turn, h) => ({
        ...turn,
        observation: turn.observation.replace(IN_TEXT, ""),
        reward: h === 0 ? null : Number(said[h]?.[1] ?? 0),
      })),
      { finalObservation: last, success: flagOf(about[`${tag}/success`]) },
    ),
  };
}

export const ragen: Format = {
  apart: "folder",
  fits: (value) => ragenRow(value) !== null || isSpokenRow(value) || protoRows(value) !== null,
  repeats: (name, names) =>
    name.endsWith(".jsonl") && names.includes(name.replace(/\.jsonl$/, ".pkl")),
  reader(findings) {
    const startName = namesInOrder("start state");
    return {
      take(value, file) {
        const rows = protoRows(value) ?? [ragenRow(value)].filter((row) => row !== null);
        if (rows.length === 0 && !isSpokenRow(value)) return false;
        // The date and time in a name are no step.
        const step = VALIDATION.test(file.name) ? null : file.step;
        const iteration = step ?? Math.max(1, file.iteration % MOST_FILES);
        if (step === null) findings.assume(ragenWords.iteration);
        const run = ALGORITHM + file.run;
        if (isSpokenRow(value)) {
          findings.assume(ragenWords.spoken);
          findings.episode(run, iteration, episodeOfSpoken(value));
          return true;
        }
        for (const row of rows) {
          noteRow(row, findings);
          findings.episode(run, iteration, episodeOfRow(row, startName));
          findings.measured(run, iteration, numbersOf(row["metrics"]));
        }
        return true;
      },
    };
  },
};

function noteRow(row: Fields, findings: Findings): void {
  if (numberOf(row["penalty"])) findings.assume(ragenWords.penalty);
  if (scoreOf(row) !== null) findings.note(ragenWords.score);
  else if (row["penalty"] === undefined) findings.assume(ragenWords.noPenalty);
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
