/** Stored forks, and the episode that one of them led to. */
import type { ReactNode } from "react";
import { formatSigned } from "../../numeric/format.ts";
import { MOST_EPISODES } from "../../store/forks.ts";
import { type Fork } from "../../store/forkTypes.ts";
import { titleOf } from "../../reading/titles.ts";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import { changeOf, lacksProcess, recordedResponse } from "./forkView.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

interface KeptForksProps {
  forks: readonly Fork[];
  /** The fork whose returns and episode are shown here. */
  shown: Fork | null;
  /** The fork whose episode all panels show. */
  inPanels: Fork | null;
  /** Index of its episode. */
  branch: number;
  /** Whether the episodes around a fork's are still in memory. */
  isHeld: (fork: Fork) => boolean;
  onShow: (number: number) => void;
  /** Shows it in all panels, or stops that. */
  onPanels: (fork: Fork) => void;
  /** Saves it as a file. */
  onSave: (fork: Fork) => void;
  onDrop: (number: number) => void;
}

export function KeptForks(props: KeptForksProps) {
  const { forks, shown, inPanels, branch } = props;
  return (
    <>
      <h4>{words.kept}</h4>
      {forks.length === 0 && <p className="note">{words.keptNone}</p>}
      <p className="note prose-note">{words.keptHint(MOST_EPISODES)}</p>
      <ul className="fork-list" data-testid="fork-list">
        {forks.map((fork) => (
          <KeptFork key={fork.number} fork={fork} {...props} />
        ))}
      </ul>
      {shown && (
        <KeptEpisode fork={shown} branch={shown === inPanels ? branch : 0}>
          <InPanels fork={shown} {...props} />
        </KeptEpisode>
      )}
    </>
  );
}

type KeptForkProps = KeptForksProps & { fork: Fork };

function KeptFork(props: KeptForkProps) {
  const { fork, shown, onShow, onSave, onDrop } = props;
  const { number } = fork;
  return (
    <li>
      <Button aria-pressed={number === shown?.number} onClick={() => onShow(number)}>
        {words.fork(number)}
      </Button>{" "}
      <span>{lineOf(fork)}</span>{" "}
      {fork.released && <span className="note">{words.firstLeft} </span>}
      <InPanels {...props} />{" "}
      <Button
        title={words.saveHint}
        aria-label={words.saveName(number)}
        onClick={() => onSave(fork)}
      >
        {words.save}
      </Button>{" "}
      <Button aria-label={words.dropName(number)} onClick={() => onDrop(number)}>
        {words.drop}
      </Button>
    </li>
  );
}

function InPanels({ fork, inPanels, isHeld, onPanels }: KeptForkProps) {
  const held = isHeld(fork);
  return (
    <>
      <Button
        aria-pressed={fork === inPanels}
        aria-disabled={!held}
        aria-label={words.panelsName(fork.number)}
        onClick={() => held && onPanels(fork)}
      >
        {words.panels}
      </Button>
      {!held && <span className="note"> {words.forgotten}</span>}
    </>
  );
}

/** Where it branched off, and what was changed. */
function lineOf({ question }: Fork): string {
  const { algorithm, iteration, episode, turn } = question;
  const place = words.keptLine(titleOf(algorithm), iteration, episode.trajectory + 1, turn + 1);
  return `${place}: ${words.change[changeOf(question)]}`;
}

interface KeptEpisodeProps {
  fork: Fork;
  branch: number;
  children: ReactNode;
}

function KeptEpisode({ fork, branch, children }: KeptEpisodeProps) {
  const { number, question, answer, released = 0 } = fork;
  const all = answer.kept.length + released;
  const episode = answer.kept[branch]!;
  const { turns, turn: left, success, reward, finalObservation } = episode;
  const valued = turns.some(({ value }) => value !== null);
  return (
    <section aria-label={words.episode(number)} data-testid="fork-episode">
      <h4>{words.episode(number)}</h4>
      <p className="note">
        {words.episodeHint(branch, all)}{" "}
        {valued && words.valuedBy(answer.trained, question.iteration)}{" "}
        {lacksProcess(question) && words.noProcess}
      </p>
      <p>
        {children}{" "}
        <span className="note prose-note">
          {words.panelsHint}{" "}
          {released > 0
            ? words.firstLeftOf(all, answer.branches)
            : words.continuations(all, answer.branches)}
        </span>
      </p>
      <ol className="fork-strip" tabIndex={0} aria-label={words.episode(number)}>
        {turns.map(({ observation, reward: paid, value }, h) => (
          <li key={h}>
            <p>
              <strong>{h + 1}</strong>{" "}
              <span className="note">
                {h < left ? words.before : h === left ? words.here : words.after}
              </span>
            </p>
            <BoardPicture observation={observation} />
            <p className="fork-said">{recordedResponse(episode, h)}</p>
            <p className="number">
              {words.reward} {formatSigned(paid)}
              {value !== null && (
                <>
                  <br />
                  {words.value} {formatSigned(value)}
                </>
              )}
            </p>
          </li>
        ))}
        <li>
          <p>
            <strong>→</strong>
          </p>
          <BoardPicture observation={finalObservation} />
        </li>
      </ol>
      <p>{words.end(success === true, formatSigned(reward))}</p>
    </section>
  );
}
