/** One episode, turn by turn: board, the model's text, and the credit each turn received. */
import { useStore } from "zustand";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { formatSigned } from "../../charts/format.ts";
import { signedScale } from "../../charts/signedScale.ts";
import { isFork } from "../../runtime/questions.ts";
import type { EnvironmentSpec } from "../../spec/experiment.ts";
import type { ExperimentState } from "../../store/experimentStore.ts";
import { useExperiment } from "../../store/hooks.ts";
import { resolveChoice, type ResolvedChoice } from "../../store/turnChoice.ts";
import { NoEpisodes } from "../NoEpisodes.tsx";
import { OriginTag } from "../OriginTag.tsx";
import { strings } from "../strings.ts";
import { BoardPicture } from "./BoardPicture.tsx";
import { TurnRow } from "./TurnRow.tsx";
import { TurnToolbar } from "./TurnToolbar.tsx";
import { WatchInShop } from "./WatchInShop.tsx";

const selectView = (state: ExperimentState) => state.view;
const selectChoice = (state: ExperimentState) => state.choice;
const words = strings.turns;

export function TurnsPanel() {
  const { store } = useExperiment();
  const view = useStore(store, selectView);
  const choice = useStore(store, selectChoice);
  const resolved = resolveChoice(view.log, choice);
  // data-scope: the panel's own keys work while the focus is in here.
  return (
    <section
      className="panel"
      aria-label={words.title}
      data-scope="turns"
      data-testid="turns-panel"
      tabIndex={-1}
    >
      <header className="panel-header">
        <h3>{words.title}</h3>
        <OriginTag />
      </header>
      {view.origin === "none" ? (
        <NoEpisodes empty={words.empty} none={words.none} />
      ) : (
        <>
          <TurnToolbar view={view} resolved={resolved} />
          <EpisodeView resolved={resolved} environment={view.log.start?.spec.environment} />
        </>
      )}
    </section>
  );
}

interface EpisodeViewProps {
  resolved: ResolvedChoice;
  environment: EnvironmentSpec | undefined;
}

function EpisodeView({ resolved, environment }: EpisodeViewProps) {
  const { store } = useExperiment();
  const { episodes, episode, turn } = resolved;
  const record = episodes[episode];
  if (!record) return <NoEpisodes empty={words.empty} none={words.none} />;
  const advantages = episodes.flatMap(({ turns }) => turns.map(({ advantage }) => advantage));
  const scale = signedScale(advantages);
  return (
    <div
      data-testid="episode"
      data-algorithm={resolved.algorithm}
      data-iteration={resolved.iteration}
    >
      <p className="episode-line">
        {episodeLine(record, environment)} {isFork(record) && words.fork}
      </p>
      {environment?.kind === "webshop" && <WatchInShop {...{ record, environment }} />}
      <ol className="turn-list">
        {record.turns.map((one, h) => (
          <TurnRow
            key={h}
            turn={one}
            number={h + 1}
            tone={scale(one.advantage)}
            current={h === turn}
            forked={isFork(record)}
            onChoose={() =>
              store.setState(({ choice }) => ({ choice: { ...choice, episode, turn: h } }))
            }
          />
        ))}
      </ol>
      <div className="final-board">
        <h4>{words.final}</h4>
        <BoardPicture observation={record.finalObservation} />
      </div>
    </div>
  );
}

function episodeLine(
  { task, seed, reward, success, truncated, turns }: EpisodeRecord,
  environment: EnvironmentSpec | undefined,
): string {
  const kind = environment?.kind === "webshop" ? "Goal" : "Level";
  const name = Number.isFinite(seed) ? `${kind} ${seed}` : task;
  const how = success === null ? words.unknownEnd : success ? words.solved : words.failed;
  const end = truncated && !success ? `${how}, ${words.truncated}` : how;
  const count = turns.length === 1 ? "1 turn" : `${turns.length} turns`;
  return `${name}: ${count}, ${end}, total reward ${formatSigned(reward)}.`;
}
