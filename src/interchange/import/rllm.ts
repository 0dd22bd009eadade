/**
 * rLLM's episodes, one file each: those of training (`episode_id`, `training_step`), and those of
 * evaluations (`id`, with tokens). Each trajectory in one is a rollout.
 */
import { bareEpisode, bareTurn, type Findings, type ForeignTurn, type Format } from "./foreign.ts";
import { evaluationIn, type FileSource } from "./sources.ts";
import { messageText, saidText } from "./conversation.ts";
import { tokensIn, tokenTurn } from "./tokens.ts";
import { isRecord } from "../../spec/jsonText.ts";
import { flagOf, listOf, nameFrom, numberOf, stepFrom, textOrNull, type Fields } from "./values.ts";

const TRUNCATED = /max|length|timeout|truncat/i;

function fits(value: unknown): value is Fields {
  if (!isRecord(value) || !("is_correct" in value)) return false;
  const first = listOf(value["trajectories"])?.[0];
  return isRecord(first) && listOf(first["steps"]) !== null;
}

export const rllm: Format = {
  apart: "nothing",
  fits,
  reader: (findings) => ({
    take(value, file) {
      if (!fits(value)) return false;
      for (const one of listOf(value["trajectories"])!.filter(isRecord))
        takeTrajectory(value, one, file, findings);
      return true;
    },
  }),
};

function takeTrajectory(row: Fields, one: Fields, file: FileSource, findings: Findings): void {
  // Validation has the same fields, in a folder of its own (`val_step_3_epoch_0`).
  const isTraining = "training_step" in row && !evaluationIn(file.name);
  const { step } = stepFrom({ ...file, step: null, iteration: 0 }, row["training_step"]);
  const task = isRecord(row["task"]) ? row["task"] : {};
  const names = listOf(row["trajectories"])!.length > 1 ? [nameFrom(one["name"]) ?? ""] : [];
  const group = nameFrom(row["task_hash"], task["id"], row["episode_id"], row["id"]) ?? "";
  const id = nameFrom(row["episode_id"], row["id"]);
  const end = textOrNull(row["termination_reason"]);
  const turns = listOf(one["steps"])!.filter(isRecord).map(turnOfStep);
  findings.episode(
    isTraining ? "rLLM" : "rLLM-validation",
    step,
    bareEpisode([group, ...names].join(" "), numberOf(one["reward"]), turns, {
      success: flagOf(row["is_correct"]),
      truncated: end === null ? null : TRUNCATED.test(end),
      ...(id !== null && { id }),
      ...(!isTraining && { split: "eval" as const }),
    }),
  );
}

function turnOfStep(step: Fields): ForeignTurn {
  const messages = (listOf(step["chat_completions"]) ?? []).filter(isRecord);
  const asked = messages.at(-1)?.["role"] === "assistant" ? messages.at(-2) : messages.at(-1);
  const observation = saidText(step["observation"]) || (asked ? messageText(asked) : "");
  const text = saidText(step["model_response"]) || saidText(step["action"]);
  const ids = listOf(step["response_ids"]) ?? [];
  const advantage = numberOf(step["advantage"]);
  const columns = {
    ids,
    rolloutLogprob: listOf(step["logprobs"]),
    advantage: listOf(step["advantage"]) ?? ids.map(() => advantage),
  };
  const turn =
    ids.length === 0
      ? { ...bareTurn(observation, text), advantage }
      : tokenTurn(observation, text, tokensIn(columns, 0, ids.length));
  return { ...turn, reward: numberOf(step["reward"]) };
}
