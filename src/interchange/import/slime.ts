/**
 * slime's `rollout_N.pt` (text, tokens, masks, the sampler's log-probs) and `train_N.pt` (the
 * trainer's log-probs, values, advantages), joined by the index of the sample within a step.
 */
import { append } from "../../numeric/lists.ts";
import { isRecord } from "../../spec/jsonText.ts";
import { bareEpisode, type Findings, type Format } from "./foreign.ts";
import { saidText } from "./conversation.ts";
import { rewardIn, warnOfReward } from "./rows.ts";
import { evaluationIn, type FileSource } from "./sources.ts";
import { spokenTurns, turnsWithTokens } from "./spoken.ts";
import { iterationNumber, listOf, nameFrom, numberOf, textOrNull, type Fields } from "./values.ts";

/** What the page says of slime's files. */
const slimeWords = {
  alone:
    "slime's train_N.pt without its rollout_N.pt names neither prompts nor groups: each sample is a task.",
  removed: "Some samples have remove_sample: they are shown, but slime did not train on them.",
  parts:
    "Some rollouts are several samples, by rollout_id: each is an episode here, so that their reward counts several times in its group.",
} as const;

function samplesIn(value: unknown, field: string): Fields[] | null {
  if (!isRecord(value) || !("rollout_id" in value)) return null;
  const samples = (listOf(value["samples"]) ?? []).filter(isRecord);
  return samples[0] && field in samples[0] ? samples : null;
}

const rollouts = (value: unknown) => samplesIn(value, "response_length");
const trainings = (value: unknown) => samplesIn(value, "sample_index");

export const slime: Format = {
  apart: "nothing",
  joins: true,
  fits: (value) => rollouts(value) !== null || trainings(value) !== null,
  reader(findings) {
    let played: { sample: Fields; isEval: boolean }[] = [];
    let trained = new Map<string, Fields>();
    let scores: readonly unknown[] | null = null;
    let step: number | null = null;
    return {
      take(value, file) {
        const [own, training] = [rollouts(value), trainings(value)];
        const isEval = evaluationIn(file.name);
        append(played, own?.map((sample) => ({ sample, isEval })) ?? []);
        for (const one of training ?? []) trained.set(String(one["sample_index"]), one);
        if (training) scores ??= listOf((value as Fields)["raw_reward"]);
        step = iterationNumber((value as Fields)["rollout_id"]) ?? stepOf(file);
        return own !== null || training !== null;
      },
      endStep() {
        if (played.length === 0 && trained.size > 0) findings.assume(slimeWords.alone);
        const alone = [...trained.values()].map((sample) => ({ sample, isEval: false }));
        const all = played.length > 0 ? played : alone;
        const ids = all.flatMap(({ sample }) => nameFrom(sample["rollout_id"]) ?? []);
        if (new Set(ids).size < ids.length) findings.warn(slimeWords.parts);
        all.forEach(({ sample, isEval }, i) => {
          const index = nameFrom(sample["index"], sample["sample_index"]) ?? String(i);
          const training = isEval ? undefined : trained.get(index);
          const score = isEval ? undefined : scores?.[Number(index)];
          takeSample(findings, { step: step ?? 0, isEval, index }, sample, training, score);
        });
        played = [];
        trained = new Map();
        scores = null;
      },
    };
  },
};

const stepOf = ({ step, iteration }: FileSource) => step ?? iteration;

function takeSample(
  findings: Findings,
  { step, isEval, index }: { step: number; isEval: boolean; index: string },
  sample: Fields,
  training: Fields | undefined,
  score: unknown,
): void {
  const length =
    numberOf(sample["response_length"]) ?? numberOf(training?.["response_lengths"]) ?? 0;
  const tokens = listOf(sample["tokens"]) ?? [];
  const masks = listOf(sample["loss_mask"]) ?? listOf(training?.["loss_masks"]);
  const mask = masks ?? Array.from({ length }, () => 1);
  const response = textOrNull(sample["response"]);
  const prompt = saidText(sample["prompt"]);
  const said = response === null ? null : spokenTurns(prompt, response, findings);
  if (sample["remove_sample"] === true) findings.warn(slimeWords.removed);
  const { reward, parts } = rewardIn(sample["reward"]);
  if (reward === null && parts) warnOfReward(findings, "reward", sample["reward"]);
  const of = (name: string) => listOf(training?.[name]);
  const columns = {
    ids: tokens.slice(tokens.length - length),
    rolloutLogprob: listOf(sample["rollout_log_probs"]) ?? of("rollout_log_probs"),
    oldLogprob: of("log_probs"),
    refLogprob: of("ref_log_probs"),
    entropy: of("entropy"),
    value: of("values"),
    advantage: of("advantages"),
    return: of("returns"),
  };
  const group = nameFrom(sample["group_index"]);
  const status = textOrNull(sample["status"]);
  const versions = (listOf(sample["weight_versions"]) ?? []).map(Number).filter(Number.isFinite);
  findings.episode(
    isEval ? "slime-validation" : "slime",
    step,
    bareEpisode(
      group === null ? `sample ${index}` : `group ${group}`,
      reward ?? numberOf(score),
      turnsWithTokens(columns, mask, said?.turns ?? []),
      {
        id: index,
        ...(parts && { rewards: parts }),
        ...(isEval && { split: "eval" }),
        finalObservation: said?.last ?? "",
        truncated: status === null ? null : status === "truncated",
        ...(versions.length > 0 && { policy: [versions[0]!, versions.at(-1)!] as const }),
      },
    ),
  );
}
