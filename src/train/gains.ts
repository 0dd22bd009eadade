/**
 * The gain of each turn: how much more likely the right answer became (IGPO, arXiv 2510.14967, as
 * A2TGPO uses it), or, in a family whose tasks have no answer in words, how much nearer the goal
 * came: a substitute, and named as one.
 */
import { exp } from "../numeric/deterministic.ts";
import { mean } from "../numeric/statistics.ts";
import type { Episode } from "../rollout/rollout.ts";
import type { World } from "../rollout/world.ts";
import { tokenRow, type TokenRow } from "../text/tokenRow.ts";
import { maskAt } from "./columns.ts";
import { placeRows } from "./episodes.ts";
import type { IterationContext } from "./context.ts";
import type { GainMeasure } from "./world.ts";
import type { Learner } from "./learner.ts";

/** Rows per forward pass. */
const ROWS = 128;

/**
 * M(state after the turn) - M(state before it), where M is the probability of the answer (geometric
 * mean over its tokens, so that its length does not matter) or the potential; 0 for each
 * trajectory's last turn, which answers. [K]
 */
export async function turnGains(
  context: Pick<IterationContext, "spec" | "family">,
  learner: Pick<Learner, "actor">,
  episodes: Episode[],
): Promise<Float64Array> {
  const { gain } = context.family;
  const states = episodes.map((episode) => gainStates(context.family.world, episode, gain));
  const measured =
    gain.kind === "potential"
      ? (states as number[][])
      : await answerProbabilities(context, learner, episodes, states as TurnAnswers[]);
  return Float64Array.from(
    measured.flatMap((M) => M.map((now, k) => (k + 1 < M.length ? M[k + 1]! - now : 0))),
  );
}

type TurnAnswers = (readonly number[] | boolean)[];

/** The replayed episode: what to measure in the state before each turn. [K_b] */
function gainStates(world: World, { task, turns }: Episode, gain: GainMeasure) {
  const environment = world.create(task.seed);
  let { info } = environment.reset(task.seed);
  return turns.map(({ responseIds, chance }) => {
    const state = gain.of(environment, info);
    ({ info } = environment.step(world.prompter.answer(responseIds, info), chance));
    return state;
  });
}

/**
 * P(answer) in each state: one teacher-forced row per state in which an answer is possible.
 * [B][K_b]
 */
async function answerProbabilities(
  { spec }: Pick<IterationContext, "spec">,
  { actor }: Pick<Learner, "actor">,
  episodes: Episode[],
  answers: TurnAnswers[],
): Promise<number[][]> {
  const P = answers.map((states) => states.map((answer) => Number(answer === true)));
  const asked = answers.flatMap((states, b) =>
    states.flatMap((answer, k) => (typeof answer === "boolean" ? [] : [{ b, k, answer }])),
  );
  for (let first = 0; first < asked.length; first += ROWS) {
    const chunk = asked.slice(first, first + ROWS);
    const rows = chunk.map(({ b, k, answer }) => answerRow(episodes[b]!, k, answer, spec.context));
    const placed = placeRows(rows);
    const { temperature } = spec.sampling;
    const mask = maskAt(placed.rows, placed.tokenAt);
    const { logprob } = await actor.forward({ rows: placed.rows, mask, temperature }); // [b, L]
    const { L } = placed.rows;
    chunk.forEach(({ b, k, answer }, i) => {
      const own = rows[i]!.tokenIndices.slice(-answer.length).map((t) => logprob[i * L + t]!);
      P[b]![k] = exp(mean(own));
    });
  }
  return P;
}

/** What the policy has seen before turn k, then the answer instead of its response. */
function answerRow(
  { turns }: Episode,
  k: number,
  responseIds: readonly number[],
  context: "full" | "turn",
): TokenRow {
  const before = context === "full" ? turns.slice(0, k) : [];
  return tokenRow([...before, { queryIds: turns[k]!.queryIds, responseIds }], context);
}
