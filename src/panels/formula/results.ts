/** The results of a place's formulas: the numbers that one looks for first. */
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import { unitOf } from "../../spec/algorithmDocs/objectiveFormulas.ts";
import { numberAt } from "./numbers.ts";
import type { BatchPlace } from "./place.ts";
import type { StepId } from "./stepIds.ts";

export interface Result {
  step: StepId;
  /** Null if it is not known. */
  value: number | null;
  /** Whether its sign has a meaning, and so a colour. */
  signed: boolean;
}

/** In the order of their steps; for a fork, which no update has used, only the advantage. */
export function resultsOf(place: BatchPlace, episode: EpisodeRecord): Result[] {
  const { config, objective, corrected } = place.all;
  const unit = unitOf(config);
  const own = (step: StepId, name: "advantage" | "ratio" | "surrogate", signed = false) => ({
    step,
    value: numberAt(`${unit}.${name}`, place),
    signed,
  });
  const first = own("advantage", "advantage", true);
  if (isFork(episode)) return [first];
  return [
    first,
    ...(config.ratio === "none" ? [] : [own("ratio", "ratio"), own("clip", "surrogate")]),
    { step: "loss", value: objective.loss, signed: false },
    { step: "update", value: 0 - corrected.objective.dLogprob[place.n]!, signed: true },
  ];
}

/** Whether the clip removes the gradient of the token at the place. */
export function isCut({ all, n }: BatchPlace): boolean {
  return all.objective.tokenClipped[n] === 1;
}
