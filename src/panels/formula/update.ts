/** What the log has of an iteration's optimiser steps, and of their effect on a token. */
import { finite } from "../../numeric/finite.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { brief } from "./known.ts";
import type { BatchPlace } from "./place.ts";
import { words } from "./words.ts";

/** Means over the iteration's steps; null if the log has no such number. */
interface OptimiserSteps {
  learningRate: number | null;
  /** Of the gradient, before it is scaled down. */
  norm: number | null;
}

export interface UpdateFacts {
  actor: OptimiserSteps;
  critic: OptimiserSteps & { loss: number | null };
  /** What the row's own regulariser adds to the loss; null without one. */
  regulariser: number | null;
  /** A gradient with a larger norm is scaled down to it; null if there is no limit, or the run does not say. */
  limit: number | null;
  /** Training multiplies rewards by it, so it is also the critic's unit. */
  rewardScale: number;
}

export function updateFacts(log: RunLog, algorithm: string, iteration: number): UpdateFacts {
  const at = (metric: string) => {
    const { x, y } = log.series(algorithm, metric);
    return finite(y[x.indexOf(iteration)]);
  };
  const steps = (part: "actor" | "critic"): OptimiserSteps => ({
    learningRate: at(`${part}/lr`),
    norm: at(`${part}/grad_norm`),
  });
  const { maxGradNorm = 0, rewardScale = 1 } = log.start?.spec.optimisation ?? {};
  return {
    actor: steps("actor"),
    critic: { ...steps("critic"), loss: at("critic/vf_loss") },
    regulariser: at("actor/regulariser"),
    limit: maxGradNorm > 0 ? maxGradNorm : null,
    rewardScale,
  };
}

interface UpdateLine {
  id: keyof typeof words.update.lines;
  text: string;
}

/** facts null: the row was not trained on these episodes. Unknown facts have no line. */
export function updateLines({ all, n }: BatchPlace, facts: UpdateFacts | null): UpdateLine[] {
  const { lines: _, ...say } = words.update;
  const line = (id: UpdateLine["id"], x: number | null, text: (x: string) => string) =>
    x === null ? [] : [{ id, text: text(brief(x)) }];
  const norm = (text: string) => say.norm(text, facts?.limit ? brief(facts.limit) : null);
  const [before, after] = [all.batch.oldLogprob?.[n], all.batch.logprob?.[n]].map(finite);
  const isKnown = typeof before === "number" && typeof after === "number";
  const token = isKnown ? say.token(brief(Math.exp(before)), brief(Math.exp(after))) : null;
  return [
    ...(token === null ? [] : [{ id: "token" as const, text: token }]),
    ...line("actorRate", facts?.actor.learningRate ?? null, say.rate),
    ...line("actorNorm", facts?.actor.norm ?? null, norm),
    ...line("regulariser", facts?.regulariser ?? null, say.regulariser),
    ...line("criticLoss", facts?.critic.loss ?? null, (x) =>
      say.loss(x, facts!.rewardScale === 1 ? null : brief(facts!.rewardScale)),
    ),
    ...line("criticRate", facts?.critic.learningRate ?? null, say.rate),
    ...line("criticNorm", facts?.critic.norm ?? null, norm),
  ];
}
