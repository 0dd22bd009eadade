/**
 * SkyRL's evaluations (`dumped_evals`, JSON lines with text), and its training batches
 * (`dumped_data`, a pickle of arrays without text, whose rows may be padded on either side).
 */
import { isRecord } from "../../spec/jsonText.ts";
import { numbersFrom, shaped } from "../container/tensors.ts";
import { bareEpisode, paidTurns, type Findings, type ForeignTurn, type Format } from "./foreign.ts";
import { takeRow } from "./rows.ts";
import type { FileSource } from "./sources.ts";
import { turnsWithTokens } from "./spoken.ts";
import { trainedSpans, type TokenColumns } from "./tokens.ts";
import {
  listOf,
  nameFrom,
  namesInOrder,
  numberOf,
  rewardCell,
  stepFrom,
  sumKnown,
  textOrNull,
  type Fields,
} from "./values.ts";

const isEvaluation = (value: unknown): value is Fields =>
  isRecord(value) && "input_prompt" in value && "output_response" in value;

const isBatch = (value: unknown): value is Fields =>
  isRecord(value) && isRecord(value["batch_dict"]) && "sequences" in value["batch_dict"];

export const skyrl: Format = {
  apart: "nothing",
  fits: (value) => isEvaluation(value) || isBatch(value),
  reader(findings) {
    const taskName = namesInOrder("prompt");
    return {
      take(value, file) {
        if (isBatch(value)) {
          takeBatch(value, file, findings);
          return true;
        }
        if (!isEvaluation(value)) return false;
        const stop = textOrNull(value["stop_reason"]);
        const truncated = stop === null ? null : stop === "length";
        takeRow(value, "SkyRL-validation", file, findings, taskName, {
          reward: rewardCell(value["score"]),
          more: { split: "eval", truncated },
        });
        return true;
      },
    };
  },
};

type Rows = readonly (readonly unknown[])[];

function arrayOf(value: unknown): Rows | null {
  if (listOf(value)) return value as Rows;
  if (!isRecord(value) || !(value["data"] instanceof Uint8Array)) return null;
  const shape = (listOf(value["shape"]) ?? []).map(Number);
  return shaped(numbersFrom(String(value["dtype"]), value["data"]), shape) as Rows;
}

function takeBatch(value: Fields, file: FileSource, findings: Findings): void {
  const batch = value["batch_dict"] as Fields;
  const arrays = Object.fromEntries(
    Object.entries(batch).map(([name, one]) => [name, arrayOf(one)]),
  );
  const about = isRecord(value["metadata"]) ? value["metadata"] : {};
  const { step } = stepFrom(file, about["global_step"]);
  const sequences = arrays["sequences"] ?? [];
  const [uids, ids] = [listOf(about["uids"]), listOf(about["trajectory_ids"])];
  sequences.forEach((_, b) => {
    const episode = batchRow(arrays, b);
    const id = nameFrom(ids?.[b]);
    findings.episode("SkyRL", step, {
      ...episode,
      task: nameFrom(uids?.[b]) ?? `row ${b + 1}`,
      ...(id !== null && { id }),
    });
  });
}

/** The entries of row `b` where the mask is set, on whichever side it is padded. */
function unpadded(rows: Rows | null | undefined, mask: readonly unknown[], b: number) {
  return rows?.[b]?.filter((_, t) => Number(mask[t]) === 1) ?? null;
}

function batchRow(arrays: Readonly<Record<string, Rows | null>>, b: number) {
  const row = (name: string) => arrays[name]?.[b] ?? [];
  const mask = row("response_mask");
  const own = (name: string) => unpadded(arrays[name], mask, b);
  const answer = own("response_mask")?.length ?? 0;
  const tokens = unpadded(arrays["sequences"], row("attention_mask"), b) ?? [];
  const columns: TokenColumns = {
    ids: tokens.slice(tokens.length - answer),
    rolloutLogprob: own("rollout_logprobs"),
    oldLogprob: own("action_log_probs"),
    refLogprob: own("base_action_log_probs"),
    value: own("values"),
    advantage: own("advantages"),
    return: own("returns"),
  };
  const trained = own("loss_mask") ?? own("response_mask") ?? [];
  const rewards = own("rewards")?.map(numberOf) ?? [];
  const turns = turnsWithTokens(columns, trained, []);
  return bareEpisode("", sumKnown(rewards), withTokenRewards(turns, rewards, trained));
}

/** Rewards by token belong to turns, unless all of it stands at the end: then the writer says nothing of turns. */
function withTokenRewards(
  turns: readonly ForeignTurn[],
  rewards: readonly (number | null)[],
  mask: readonly unknown[],
): ForeignTurn[] {
  if (!rewards.slice(0, -1).some((one) => one !== 0 && one !== null)) return [...turns];
  const spans = trainedSpans(mask);
  const sums = spans.map(({ from }, h) => sumKnown(rewards.slice(from, spans[h + 1]?.from)));
  return paidTurns(turns, sums);
}
