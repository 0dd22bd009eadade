/** How many tokens the environment wrote before a turn: loaded later, since they are made again from its texts. */
import { useSyncExternalStore } from "react";
import { estimatesAnswered, onEstimate } from "../../reading/credit/estimates.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { askedCounts } from "../../figures/tokens/prompt.ts";
import { words } from "../../figures/tokens/words.ts";
import type { PromptTextProps } from "./PromptText.tsx";

const counted = new WeakMap<EpisodeRecord, number[] | null>();

/** Of the environment's tokens before a turn. A shop is not made for them. */
export function AskedCount({ spec, episode, turn }: PromptTextProps) {
  useSyncExternalStore(onEstimate, estimatesAnswered);
  if (spec?.environment?.kind === "webshop") return words.notTrained;
  // A prompt of the run's own is written by code, which answers later.
  if (!counted.get(episode)) counted.set(episode, askedCounts(spec, episode));
  const tokens = counted.get(episode)?.[turn];
  if (tokens === undefined) return words.notTrained;
  const [number, unit] = words.asked(tokens);
  return (
    <>
      {number}
      <span className="chat-unit">{unit}</span> {words.notTrained}
    </>
  );
}
