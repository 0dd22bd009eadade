/** A training run's episode, watched page by page. */
import { useMemo } from "react";
import { isFork } from "../../../record/forkedEpisode.ts";
import type { EpisodeRecord } from "../../../record/runEvent.ts";
import type { WebShopSpec } from "../../../spec/experiment.ts";
import { InputError } from "../../../numeric/inputError.ts";
import { useShopMade } from "./useShopMade.ts";
import { recordedEpisode } from "../../../reading/shop/replay.ts";
import { replayOf, type ShopEpisode } from "../../../reading/shop/replay.ts";
import { ReplayView } from "./ReplayView.tsx";
import { words } from "./words.ts";

interface RecordedReplayProps {
  record: EpisodeRecord;
  environment: WebShopSpec;
}

export function RecordedReplay({ record, environment }: RecordedReplayProps) {
  useShopMade(environment.catalogSeed);
  const found = useMemo(() => openRecord(record, environment), [record, environment]);
  if ("problem" in found) {
    return (
      <div role="alert" className="notice notice-problem" data-testid="replay-problem">
        <strong>{words.replay.impossible}</strong>
        <p>{found.problem}</p>
      </div>
    );
  }
  const { setup, texts } = found.episode;
  // A fork was not trained on.
  const credits = isFork(record) ? [] : record.turns.map(({ advantage }) => advantage);
  return (
    <div className="shop">
      <ReplayView key={JSON.stringify([setup, texts])} episode={found.episode} credits={credits} />
      <p>
        <a href={`#shop-${environment.catalogSeed}-${setup.goal}`}>{words.replay.shopForThis}</a>
      </p>
    </div>
  );
}

function openRecord(
  record: EpisodeRecord,
  environment: WebShopSpec,
): { episode: ShopEpisode } | { problem: string } {
  try {
    const episode = recordedEpisode(record, environment);
    replayOf(episode);
    return { episode };
  } catch (error) {
    if (error instanceof InputError) return { problem: error.message };
    throw error;
  }
}
