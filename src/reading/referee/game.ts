/**
 * A task of the referee: a small game of turns, given as data, whose true advantages are computed
 * and not sampled. `numberGame` numbers its states, responses and tokens.
 */
import { log } from "../../numeric/deterministic.ts";
import { InputError, show } from "../../numeric/inputError.ts";

/** After a response: the next state (null: the episode ends), the turn's reward, and how likely that is (absent: surely). */
export type GameOutcome = readonly [to: string | null, reward: number, chance?: number];

export interface RefereeTask {
  name: string;
  title: string;
  /** What it tests: one sentence. */
  tests: string;
  /** Weights of the first states. The rollouts of one group share theirs. */
  start: Readonly<Record<string, number>>;
  /** What is seen in a state; absent: its own name. States that look alike share the policy and the critic's value. */
  sees?: Readonly<Record<string, string>>;
  /** The policy: weights of the responses to what is seen. A response is its tokens, with spaces between; none begins another. */
  policy: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Outcomes of each response in each state. No state comes back. */
  states: Readonly<Record<string, Readonly<Record<string, readonly GameOutcome[]>>>>;
  /** An episode that earns at least this much counts as solved; absent: 1. */
  solved?: number;
}

/** A response to what is seen: its tokens are choices at nodes of a tree, whose children are the policy's parameters. */
interface GameResponse {
  text: string;
  chance: number;
  /** Node before each token. [n] */
  nodes: number[];
  /** Parameter (child of that node) of each token. [n] */
  params: number[];
  /** [n] */
  logprobs: number[];
}

/** An outcome with its next state's number; -1: the end. */
interface Branch {
  to: number;
  reward: number;
  chance: number;
}

/** S states, O observations, C cells (a state with a response), M nodes, P parameters (logits). */
export interface Game {
  task: RefereeTask;
  /** Each before those that follow it. [S] */
  states: string[];
  observations: string[];
  /** [S] */
  seen: number[];
  /** Chance to begin in it. [S] */
  start: Float64Array;
  /** [O][*] */
  responses: GameResponse[][];
  /** Cell of a state's first response; the others follow. [S+1] */
  cellStart: number[];
  /** [C][*] */
  branches: Branch[][];
  /** First parameter of each node, and the node of each parameter. [M+1], [P] */
  nodeStart: number[];
  paramNode: number[];
  /** Conditional probability of a token after its prefix. [P] */
  paramChance: Float64Array;
}

/** @throws InputError naming what is wrong with the task. */
export function numberGame(task: RefereeTask): Game {
  const states = inOrder(task);
  const stateNumber = new Map(states.map((name, s) => [name, s]));
  const observations = [...new Set(states.map((name) => seenIn(task, name)))];
  const tree = treeOf(task, observations);
  const seen = states.map((name) => observations.indexOf(seenIn(task, name))); // [S]
  const cellStart = [0];
  for (const o of seen) cellStart.push(cellStart.at(-1)! + tree.responses[o]!.length);
  const branches = states.flatMap((name, s) =>
    tree.responses[seen[s]!]!.map(({ text }) => branchesOf(task, name, text, stateNumber)),
  );
  const weights = states.map((name) => task.start[name] ?? 0);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const start = Float64Array.from(weights, (weight) => weight / total); // [S]
  return { task, states, observations, seen, start, cellStart, branches, ...tree };
}

const seenIn = ({ sees = {} }: RefereeTask, state: string) => sees[state] ?? state;

/** The states that can be reached, each before those that follow it. @throws InputError if one is missing or comes back. */
function inOrder(task: RefereeTask): string[] {
  const done: string[] = [];
  const open = new Set<string>();
  const visit = (name: string) => {
    if (done.includes(name)) return;
    if (open.has(name)) throw wrong(task, `state ${show(name)} comes back`);
    const responses = task.states[name];
    if (!responses) throw wrong(task, `state ${show(name)} is missing`);
    open.add(name);
    for (const outcomes of Object.values(responses))
      for (const [to] of outcomes) if (to !== null) visit(to);
    done.push(name);
  };
  for (const name of Object.keys(task.start)) visit(name);
  return done.reverse();
}

function branchesOf(
  task: RefereeTask,
  state: string,
  response: string,
  numbers: ReadonlyMap<string, number>,
): Branch[] {
  const outcomes = task.states[state]![response];
  if (!outcomes) throw wrong(task, `state ${show(state)} has no outcome of ${show(response)}`);
  const made = outcomes.map(([to, reward, chance = 1]) => ({
    to: to === null ? -1 : numbers.get(to)!,
    reward,
    chance,
  }));
  const total = made.reduce((sum, { chance }) => sum + chance, 0);
  if (Math.abs(total - 1) > 1e-9)
    throw wrong(task, `the chances after ${show(response)} in ${show(state)} sum to ${total}`);
  return made;
}

/** Nodes are prefixes of responses to one observation: their children's chances are made of the responses' weights. */
function treeOf(task: RefereeTask, observations: readonly string[]) {
  const nodes: { children: Map<string, number> }[] = [];
  const node = () => nodes.push({ children: new Map() }) - 1;
  const paths = observations.map((seen) => {
    const policy = Object.entries(task.policy[seen] ?? {});
    if (policy.length === 0) throw wrong(task, `policy has no responses to ${show(seen)}`);
    const total = policy.reduce((sum, [, weight]) => sum + weight, 0);
    const byPrefix = new Map([["", node()]]);
    return policy.map(([text, weight]) => {
      const tokens = text.split(" ");
      const path = tokens.map((token, i) => {
        const prefix = tokens.slice(0, i).join(" ");
        if (!byPrefix.has(prefix)) byPrefix.set(prefix, node());
        const at = byPrefix.get(prefix)!;
        const { children } = nodes[at]!;
        children.set(token, (children.get(token) ?? 0) + weight / total);
        return { node: at, token };
      });
      return { text, chance: weight / total, path };
    });
  });
  const nodeStart = [0];
  for (const { children } of nodes) nodeStart.push(nodeStart.at(-1)! + children.size);
  const paramChance = Float64Array.from(
    nodes.flatMap(({ children }) => {
      const masses = [...children.values()];
      const total = masses.reduce((sum, mass) => sum + mass, 0);
      return masses.map((mass) => mass / total);
    }),
  ); // [P]
  const responses = paths.map((ofSeen) =>
    ofSeen.map(({ text, chance, path }): GameResponse => {
      const params = path.map(
        ({ node: at, token }) => nodeStart[at]! + [...nodes[at]!.children.keys()].indexOf(token),
      );
      const logprobs = params.map((p) => log(paramChance[p]!));
      return { text, chance, nodes: path.map((one) => one.node), params, logprobs };
    }),
  );
  const paramNode = nodes.flatMap(({ children }, m) => Array.from(children, () => m)); // [P]
  return { responses, nodeStart, paramNode, paramChance };
}

function wrong({ name }: RefereeTask, what: string): InputError {
  return new InputError(`task ${name}: ${what}`);
}
