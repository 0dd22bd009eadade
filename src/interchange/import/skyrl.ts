/**
 * SkyRL's evaluations (`dumped_evals`, JSON lines with text), and its training batches
 * (`dumped_data`, a pickle of arrays without text, whose rows may be padded on either side).
 */
import { isRecord } from "../../spec/jsonText.ts";
import { torchSaved } from "../container/open.ts";
import { numbersFrom, shaped } from "../container/tensors.ts";
import { bareEpisode, paidTurns, type Findings, type ForeignTurn, type Format } from "./foreign.ts";
import { takeRow } from "./rows.ts";
import type { FileSource } from "./sources.ts";
import { spokenWords, turnsWithTokens } from "./spoken.ts";
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

/** What the page says of SkyRL's files. */
const skyrlWords = {
  unpaid:
    "SkyRL drops the rewards before it writes its batches: they are unknown, advantages are not.",
  bounds: "Groups come from policy_prompt_boundaries.",
  ungrouped: "The batch names neither groups nor bounds of prompts: each row is a task.",
  steps: "Rows that are steps of one trajectory are one episode.",
} as const;

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
  // Of types that NumPy lacks, such as bfloat16.
  if (value["format"] === "torch") return listOf(torchSaved(value["data"])) as Rows | null;
  const shape = (listOf(value["shape"]) ?? []).map(Number);
  return shaped(numbersFrom(String(value["dtype"]), value["data"]), shape) as Rows;
}

/** Arrays that are read; those of images and experts are many times larger. */
const READ = [
  ...["sequences", "attention_mask", "response_mask", "loss_mask", "rewards", "values", "returns"],
  ...["advantages", "rollout_logprobs", "action_log_probs", "base_action_log_probs"],
];

function takeBatch(value: Fields, file: FileSource, findings: Findings): void {
  const batch = value["batch_dict"] as Fields;
  const arrays = Object.fromEntries(READ.map((name) => [name, arrayOf(batch[name])]));
  const about = isRecord(value["metadata"]) ? value["metadata"] : {};
  const { step } = stepFrom(file, about["global_step"]);
  // Rows that only fill the batch are its last ones.
  const count = (arrays["sequences"]?.length ?? 0) - (numberOf(about["pad_size"]) ?? 0);
  const groupOf = groupsIn(about, findings);
  const ids = listOf(about["trajectory_ids"]);
  if (!arrays["rewards"]) findings.warn(skyrlWords.unpaid);
  const ends = listOf(about["is_last_step"]);
  let held: BatchRow | null = null;
  for (let b = 0; b < count; b++) {
    const own = batchRow(arrays, b);
    const before: BatchRow | null = held;
    held = before ? joinedRow(before, own) : own;
    const next = b + 1 < count ? batchRow(arrays, b + 1) : null;
    const goesOn = next !== null && groupOf(b) === groupOf(b + 1) && isStep(own, next);
    if (ends ? ends[b] === false : goesOn) {
      findings.assume(skyrlWords.steps);
      continue;
    }
    const id = nameFrom(ids?.[b]);
    const episode = bareEpisode(groupOf(b), held.reward, held.turns, id === null ? {} : { id });
    findings.episode("SkyRL", step, episode);
    held = null;
  }
}

/** The group of a row: by its uid, which SkyRL drops before it writes, or by the bounds of prompts. */
function groupsIn(about: Fields, findings: Findings): (b: number) => string {
  const uids = listOf(about["uids"]);
  if (uids) return (b) => nameFrom(uids[b]) ?? `row ${b + 1}`;
  const bounds = (listOf(about["policy_prompt_boundaries"]) ?? []).map((one) =>
    (listOf(one) ?? []).map(Number),
  );
  findings.assume(bounds.length > 0 ? skyrlWords.bounds : skyrlWords.ungrouped);
  return (b) => {
    const k = bounds.findIndex(([from = NaN, to = NaN]) => from <= b && b < to);
    return k < 0 ? `row ${b + 1}` : `prompt ${k + 1}`;
  };
}

/** Whether a row's prompt begins with all of the row before: then it is that trajectory's next step. */
function isStep({ tokens }: BatchRow, next: BatchRow): boolean {
  return tokens.length <= next.prompt && tokens.every((id, t) => id === next.tokens[t]);
}

/** What came between two rows is what the environment said; the last row's reward is the trajectory's. */
function joinedRow(before: BatchRow, next: BatchRow): BatchRow {
  const heard = next.prompt - before.tokens.length;
  const turns = next.turns.map((turn, h) =>
    h === 0 && heard > 0 ? { ...turn, observation: spokenWords.noText(heard) } : turn,
  );
  return { ...next, turns: [...before.turns, ...turns] };
}

/** The entries of row `b` where the mask is set, on whichever side it is padded. */
function unpadded(rows: Rows | null | undefined, mask: readonly unknown[], b: number) {
  return rows?.[b]?.filter((_, t) => Number(mask[t]) === 1) ?? null;
}

interface BatchRow {
  /** Of prompt and answer. */
  tokens: readonly unknown[];
  /** How many of them are the prompt's. */
  prompt: number;
  reward: number | null;
  turns: readonly ForeignTurn[];
}

function batchRow(arrays: Readonly<Record<string, Rows | null>>, b: number): BatchRow {
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
  return {
    tokens,
    prompt: tokens.length - answer,
    reward: sumKnown(rewards),
    turns: withTokenRewards(turns, rewards, trained),
  };
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
