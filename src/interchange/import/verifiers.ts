/**
 * Evaluations of verifiers: traces.jsonl (v1), and results.jsonl or its dataset, where
 * `--state-columns trajectory` adds tokens and rewards of each turn.
 */
import { answered, turnsOfMessages } from "./conversation.ts";
import {
  bareEpisode,
  type Findings,
  type ForeignEpisode,
  type ForeignTurn,
  type Format,
} from "./foreign.ts";
import { tokensIn, tokenTurn } from "./tokens.ts";
import { hasTrace, isTraceRow, FAILED_EARLY, traceEpisodes, traceWork } from "./traces.ts";
import { isRecord } from "../../spec/jsonText.ts";
import {
  flagOf,
  jsonOrText,
  listOf,
  nameFrom,
  numberOf,
  numbersOf,
  type Fields,
} from "./values.ts";

const RUN = "verifiers";

const isResult = (value: unknown): value is Fields =>
  isRecord(value) && "example_id" in value && "prompt" in value && "completion" in value;

export const verifiers: Format = {
  apart: "nothing",
  fits: (value) => isResult(value) || (isTraceRow(value) && traceWork(value) === null),
  repeats(name, names) {
    const folder = name.replace(/[^/\\]*$/, "");
    const other = (file: string) => names.includes(folder + file);
    if (/[/\\]?results\.jsonl$/.test(name)) return other("results_with_trajectory.jsonl");
    return /\.parquet$/.test(name) && names.some((one) => /results\w*\.jsonl$/.test(one));
  },
  reader: (findings) => ({
    take(value, file) {
      const step = file.step ?? 0;
      if (isTraceRow(value)) {
        if (!hasTrace(value)) return FAILED_EARLY;
        for (const episode of traceEpisodes(value, () => null))
          findings.episode(RUN, step, { ...episode, split: "eval" });
        return true;
      }
      if (!isResult(value)) return false;
      findings.episode(RUN, step, resultEpisode(value, findings));
      findings.measured(RUN, step, numbersOf(jsonOrText(value["metrics"])));
      return true;
    },
  }),
};

function resultEpisode(row: Fields, findings: Findings): ForeignEpisode {
  const steps = (listOf(jsonOrText(row["trajectory"])) ?? []).filter(isRecord);
  const { turns, last } = answered(
    jsonOrText(row["prompt"]),
    jsonOrText(row["completion"]),
    findings,
  );
  return bareEpisode(
    `example ${nameFrom(row["example_id"]) ?? "?"}`,
    numberOf(row["reward"]),
    steps.length === turns.length ? steps.map((step, h) => stepTurn(step, turns[h]!)) : turns,
    {
      finalObservation: last,
      terminated: flagOf(row["is_completed"]),
      truncated: flagOf(row["is_truncated"]),
      split: "eval",
    },
  );
}

function stepTurn(step: Fields, said: ForeignTurn): ForeignTurn {
  const tokens = isRecord(step["tokens"]) ? step["tokens"] : {};
  const ids = listOf(tokens["completion_ids"]) ?? [];
  const advantage = numberOf(step["advantage"]);
  const text = turnsOfMessages(step["completion"]).turns[0]?.text ?? said.text;
  const columns = {
    ids,
    rolloutLogprob: listOf(tokens["completion_logprobs"]),
    advantage: ids.map(() => advantage),
  };
  const turn =
    ids.length === 0
      ? { ...said, text, advantage }
      : tokenTurn(said.observation, text, tokensIn(columns, 0, ids.length));
  return { ...turn, reward: numberOf(step["reward"]) };
}
