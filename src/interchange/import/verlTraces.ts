/**
 * verl's tracer (`utils/rollout_trace.py`) in mlflow and trackio: an agent loop's prompt, answer,
 * mask and log-probs, and its tools' rewards. The final reward is not among them.
 */
import { isRecord } from "../../spec/jsonText.ts";
import { turnsOfMessages } from "./conversation.ts";
import { bareEpisode, paidTurns, type Findings, type Format } from "./foreign.ts";
import { promptAndAnswer, spokenTurns, turnsWithTokens, type SpokenTurns } from "./spoken.ts";
import {
  iterationNumber,
  jsonOrText,
  listOf,
  nameFrom,
  numberOf,
  textOrNull,
  type Fields,
} from "./values.ts";

/** What the page says of verl's traces. */
const traceWords = {
  untagged: "A trace without tags names neither step nor task, and is left out.",
} as const;

interface VerlTrace {
  id: string;
  tags: Fields;
  output: Fields;
  said: (findings: Findings) => SpokenTurns;
}

export const verlTraces: Format = {
  apart: "nothing",
  fits: (value) => traceOf(value) !== null,
  reader(findings) {
    const seen = new Set<string>();
    return {
      take(value) {
        const trace = traceOf(value);
        if (!trace) return false;
        if (iterationNumber(Number(trace.tags["step"])) === null)
          findings.warn(traceWords.untagged);
        else if (trace.id === "" || !seen.has(trace.id)) {
          seen.add(trace.id);
          takeTrace(trace, findings);
        }
        return true;
      },
    };
  },
};

function traceOf(value: unknown): VerlTrace | null {
  if (!isRecord(value)) return null;
  if (value["_type"] === "trackio.trace") {
    const meta = isRecord(value["metadata"]) ? value["metadata"] : {};
    const output = meta["output"];
    const said = () => turnsOfMessages(value["messages"]);
    return isRecord(output) ? { id: "", tags: meta, output, said } : null;
  }
  const { info, data } = value;
  const spans = isRecord(data) ? listOf(data["spans"]) : listOf(value["spans"]);
  const run = spans?.filter(isRecord).find(({ name }) => String(name).endsWith(".run"));
  const outputs =
    run && isRecord(run["attributes"]) ? run["attributes"]["mlflow.spanOutputs"] : null;
  const output = jsonOrText(outputs);
  if (!run || !isRecord(output)) return null;
  const tags = isRecord(info) && isRecord(info["tags"]) ? info["tags"] : {};
  const said = (findings: Findings) => saidIn(output, findings);
  return { id: nameFrom(run["trace_id"]) ?? "", tags, output, said };
}

function saidIn(output: Fields, findings: Findings): SpokenTurns {
  const [prompt, answer] = [textOrNull(output["prompt_text"]), textOrNull(output["response_text"])];
  if (answer === null) return { turns: [], last: "" };
  if (prompt !== null) return spokenTurns(prompt, answer, findings);
  return spokenTurns(...promptAndAnswer(answer, findings), findings);
}

function takeTrace({ tags, output, said }: VerlTrace, findings: Findings): void {
  const step = Number(tags["step"]);
  const isEval = String(tags["validate"]).toLowerCase() === "true";
  const { turns, last } = said(findings);
  const ids = listOf(output["response_ids"]) ?? [];
  const mask = listOf(output["response_mask"]) ?? [];
  const columns = { ids, rolloutLogprob: listOf(output["response_logprobs"]) };
  const spoke = ids.length > 0 ? turnsWithTokens(columns, mask, turns) : turns;
  const more = isRecord(output["extra_fields"]) ? output["extra_fields"] : {};
  const tools = listOf(more["tool_rewards"])?.map(numberOf) ?? [];
  const sample = nameFrom(tags["sample_index"]) ?? "?";
  findings.episode(
    `verl-traces${isEval ? "-validation" : ""}`,
    step,
    bareEpisode(
      `sample ${sample}`,
      numberOf(output["reward_score"]),
      tools.length > 0 ? paidTurns(spoke, tools) : spoke,
      {
        finalObservation: last,
        id: `${sample}/${nameFrom(tags["rollout_n"]) ?? "?"}`,
        ...(isEval && { split: "eval" }),
      },
    ),
  );
}
