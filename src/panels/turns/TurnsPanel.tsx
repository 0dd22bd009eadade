/** One episode, turn by turn: board, the model's text, and the credit each turn received. */
import { useStore } from "zustand";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { formatSigned } from "../../numeric/format.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { EnvironmentSpec, ExperimentSpec, WebShopSpec } from "../../spec/experiment.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment } from "../../store/hooks.ts";
import { resolveChoice, type ResolvedChoice } from "../../store/turnChoice.ts";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { runConfig } from "../../reading/runConfig.ts";
import { panelWords } from "../shared/strings.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { turns } from "./manifest.ts";
import { TurnList } from "./TurnList.tsx";
import { TurnToolbar } from "../shared/TurnToolbar.tsx";
import { capital, counted } from "../../numeric/counted.ts";
import { knownDescriptor, hasPages } from "../../env/descriptors.ts";
import { useState } from "react";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";

const selectView = (state: ExperimentState) => state.view;
const selectChoice = (state: ExperimentState) => state.choice;
const words = panelWords.turns;

export function TurnsPanel() {
  const { store } = useExperiment();
  const view = useStore(store, selectView);
  const choice = useStore(store, selectChoice);
  const resolved = resolveChoice(view.log, choice);
  return (
    <PanelFrame panel={turns}>
      {view.origin === "none" ? (
        <NoEpisodes panel={turns} />
      ) : (
        <>
          <TurnToolbar view={view} resolved={resolved} />
          <EpisodeView resolved={resolved} spec={view.log.start?.spec} />
        </>
      )}
    </PanelFrame>
  );
}

interface EpisodeViewProps {
  resolved: ResolvedChoice;
  spec: ExperimentSpec | undefined;
}

function EpisodeView({ resolved, spec }: EpisodeViewProps) {
  const { store } = useExperiment();
  const { episodes, episode, turn } = resolved;
  const record = episodes[episode];
  if (!record) return <NoEpisodes panel={turns} />;
  const { environment } = spec ?? {};
  const hasCritic = (runConfig(spec, resolved.algorithm)?.critic ?? "none") !== "none";
  return (
    <div
      data-testid="episode"
      data-algorithm={resolved.algorithm}
      data-iteration={resolved.iteration}
    >
      <p className="episode-line">
        {episodeLine(record, environment)} {isFork(record) && words.fork}
      </p>
      {hasPages(environment) && <WatchInShop record={record} environment={environment} />}
      <TurnList
        episodes={episodes}
        record={record}
        turn={turn}
        hasCritic={hasCritic}
        onChoose={(h) =>
          store.setState(({ choice }) => ({ choice: { ...choice, episode, turn: h } }))
        }
      />
    </div>
  );
}

function episodeLine(
  { task, seed, reward, success, truncated, turns }: EpisodeRecord,
  environment: EnvironmentSpec | undefined,
): string {
  const kind = capital(knownDescriptor(environment?.kind)?.task ?? "level");
  const name = Number.isFinite(seed) ? `${kind} ${seed}` : task;
  const how = success === null ? words.unknownEnd : success ? words.solved : words.failed;
  const end = truncated && !success ? `${how}, ${words.truncated}` : how;
  const count = counted(turns.length, "turn");
  return `${name}: ${count}, ${end}, total reward ${formatSigned(reward)}.`;
}

// Opens an episode of the shop page by page; the shop is loaded and generated only then.

const RecordedReplay = lazyPart(
  "RecordedReplay",
  () => import("../shared/shop/RecordedReplay.tsx"),
  panelWords.turns.shopOpening,
);

interface WatchInShopProps {
  record: EpisodeRecord;
  environment: WebShopSpec;
}

function WatchInShop(props: WatchInShopProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="watch-in-shop"
      data-testid="watch-in-shop"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{panelWords.turns.watchInShop}</summary>
      {open && <RecordedReplay {...props} />}
    </details>
  );
}
