/**
 * Traces of verifiers, which prime-rl writes too: a graph of messages whose sampled nodes are the
 * model's turns, with tokens, mask, log-probs and advantages where it was trained.
 */
import { isRecord } from "../../spec/jsonText.ts";
import { messageText } from "./conversation.ts";
import { bareEpisode, bareTurn, type ForeignEpisode, type ForeignTurn } from "./foreign.ts";
import { tokenTurn, tokensIn, type TokenColumns } from "./tokens.ts";
import {
  digest,
  flagOf,
  listOf,
  nameFrom,
  numberOf,
  sumKnown,
  textOrNull,
  type Fields,
} from "./values.ts";

/** A line of traces.jsonl: an episode of one or more agents, without a trace where it failed before. */
export function isTraceRow(value: unknown): value is Fields {
  const traces = isRecord(value) ? listOf(value["traces"]) : null;
  return traces !== null && (traces.some(isTrace) || hasFailed(value as Fields, traces));
}

function hasFailed(row: Fields, traces: readonly unknown[]): boolean {
  return traces.length === 0 && listOf(row["errors"]) !== null;
}

/** What the page says of lines that have no trace. */
export const FAILED_EARLY = "an episode that failed before it had a trace";

export function hasTrace(row: Fields): boolean {
  return listOf(row["traces"])!.length > 0;
}

/** The row without traces of agents that are not trained, such as judges, and their names. */
export function trainedOnly(row: Fields): { row: Fields; left: string[] } {
  const traces = listOf(row["traces"])!;
  const isLeft = (trace: unknown) =>
    isRecord(trace) && isRecord(trace["agent"]) && trace["agent"]["trainable"] === false;
  const left = traces
    .filter(isLeft)
    .map((one) => nameFrom(((one as Fields)["agent"] as Fields)["name"]) ?? "?");
  return {
    row: left.length === 0 ? row : { ...row, traces: traces.filter((one) => !isLeft(one)) },
    left,
  };
}

function isTrace(value: unknown): value is Fields {
  return isRecord(value) && listOf(value["nodes"]) !== null;
}

/** Whether it was written in training, with its place in the run. */
export function traceWork(row: Fields): Fields | null {
  const work = isRecord(row["run"]) ? row["run"]["work"] : null;
  return isRecord(work) ? work : null;
}

/** A node's tokens are numbered by where they stand in the paths from the root. */
interface TraceNode {
  parent: number | null;
  sampled: boolean;
  text: string;
  ids: readonly unknown[];
  /** Positions in `ids` of the trained tokens. */
  trained: number[];
  /** Aligned with `trained`. */
  columns: TokenColumns;
}

/** What a trainer's token export adds for one sequence; aligned with its tokens. */
export type ExportedColumns = TokenColumns & { ids: readonly unknown[] };

/** A sequence's name by its token numbers. */
export function sequenceKey(ids: readonly unknown[]): string {
  return digest(ids.join(","));
}

/** The rollouts in a row, one for each agent. @param exported a sequence's further columns, by its key */
export function traceEpisodes(
  row: Fields,
  exported: (key: string) => ExportedColumns | null,
): ForeignEpisode[] {
  const traces = listOf(row["traces"])!.filter(isTrace);
  return traces.map((trace) => {
    const nodes = listOf(trace["nodes"])!.map(nodeOf);
    joinExports(nodes, exported);
    const task = isRecord(trace["task"]) ? trace["task"] : isRecord(row["task"]) ? row["task"] : {};
    const group = isRecord(row["group"]) ? row["group"] : {};
    const agent = isRecord(trace["agent"]) ? trace["agent"] : {};
    const names = traces.length > 1 ? [nameFrom(agent["name"]) ?? ""] : [];
    const { reward, rewards } = rewardsOf(trace["rewards"]);
    const stop = textOrNull(trace["stop_condition"]);
    const name = nameFrom(group["id"], task["key"], task["hash"], row["id"]) ?? "";
    const policy = traceWork(row)?.["policy"];
    const [start, end] = isRecord(policy)
      ? [numberOf(policy["start"]), numberOf(policy["end"])]
      : [null, null];
    const id = nameFrom(trace["id"], row["id"]);
    return bareEpisode([name, ...names].join(" "), reward, turnsOf(nodes), {
      terminated: flagOf(trace["is_completed"]),
      truncated: stop === null ? null : /max|length|overlong|truncat/i.test(stop),
      finalObservation: heardAfter(nodes),
      ...(rewards && { rewards }),
      ...(id !== null && { id }),
      ...(start !== null && end !== null && { policy: [start, end] as const }),
    });
  });
}

/** The sum of what each reward function gave times its weight. */
function rewardsOf(value: unknown) {
  if (!isRecord(value)) return { reward: numberOf(value), rewards: null };
  const parts = Object.entries(value).map(([name, one]) => {
    const { score, weight } = isRecord(one) ? one : { score: one, weight: 1 };
    return { name, score: numberOf(score), weight: numberOf(weight) ?? 1 };
  });
  const counted = parts.filter(({ weight }) => weight !== 0);
  return {
    reward: sumKnown(counted.map(({ score, weight }) => (score === null ? null : score * weight))),
    rewards: Object.fromEntries(parts.map(({ name, score }) => [name, score])),
  };
}

function nodeOf(value: unknown): TraceNode {
  const node = isRecord(value) ? value : {};
  const ids = listOf(node["token_ids"]) ?? [];
  const mask = listOf(node["mask"]) ?? [];
  const trained = ids.flatMap((_, t) => (flagOf(mask[t]) === true ? [t] : []));
  // Lists hold the trained tokens alone, or all of the node's.
  const aligned = (name: string) => {
    const list = listOf(node[name]);
    return list?.length === trained.length ? list : list && trained.map((t) => list[t]);
  };
  return {
    parent: numberOf(node["parent"]),
    sampled: flagOf(node["sampled"]) === true,
    text: isRecord(node["message"]) ? messageText(node["message"]) : "",
    ids,
    trained,
    columns: {
      ids: trained.map((t) => ids[t]),
      rolloutLogprob: aligned("logprobs"),
      advantage: aligned("advantages"),
    },
  };
}

/** The node and those before it, from the root; a node that is its own ancestor ends it. */
function pathTo(nodes: readonly TraceNode[], index: number): number[] {
  const path: number[] = [];
  for (let at: number | null = index; at !== null && nodes[at]; at = nodes[at]!.parent) {
    if (path.includes(at)) break;
    path.unshift(at);
  }
  return path;
}

function turnsOf(nodes: readonly TraceNode[]): ForeignTurn[] {
  return nodes.flatMap((node, i) => {
    if (!node.sampled) return [];
    const observation = heardBefore(nodes, i);
    const { columns, text, trained } = node;
    return trained.length === 0
      ? [bareTurn(observation, text)]
      : [tokenTurn(observation, text, tokensIn(columns, 0, trained.length))];
  });
}

/** What was said since the model's last turn on the way to a node. */
function heardBefore(nodes: readonly TraceNode[], index: number): string {
  const before = pathTo(nodes, index).slice(0, -1);
  const from = before.findLastIndex((at) => nodes[at]!.sampled) + 1;
  return before
    .slice(from)
    .map((at) => nodes[at]!.text)
    .join("\n");
}

function heardAfter(nodes: readonly TraceNode[]): string {
  const last = nodes.length - 1;
  if (last < 0 || nodes[last]!.sampled) return "";
  return [heardBefore(nodes, last), nodes[last]!.text].filter(Boolean).join("\n");
}

/** Gives the nodes of each path that was exported as one sequence its further columns. */
function joinExports(
  nodes: readonly TraceNode[],
  exported: (key: string) => ExportedColumns | null,
): void {
  const parents = new Set(nodes.map(({ parent }) => parent));
  nodes.forEach((_, leaf) => {
    if (parents.has(leaf)) return;
    const path = pathTo(nodes, leaf);
    const columns = exported(sequenceKey(path.flatMap((at) => nodes[at]!.ids)));
    if (!columns) return;
    let start = 0;
    for (const at of path) {
      const node = nodes[at]!;
      const from = start;
      const own = (list: ArrayLike<unknown> | null | undefined) =>
        list ? node.trained.map((t) => list[from + t]) : null;
      const { oldLogprob, newLogprob, entropy, clipped, advantage } = columns;
      node.columns = {
        ...node.columns,
        oldLogprob: own(oldLogprob),
        newLogprob: own(newLogprob),
        entropy: own(entropy),
        clipped: own(clipped),
        advantage: node.columns.advantage ?? own(advantage),
      };
      start += node.ids.length;
    }
  });
}
