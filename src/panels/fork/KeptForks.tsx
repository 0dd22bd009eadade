/** Forks that are kept, and the episode that one of them led to. */
import { formatSigned } from "../../charts/format.ts";
import type { ForkedEpisode } from "../../runtime/questions.ts";
import type { Fork } from "../../store/forks.ts";
import { titleOf } from "../curves/chartSeries.ts";
import { BoardPicture } from "../turns/BoardPicture.tsx";
import { changeOf } from "./forkView.ts";
import { words } from "./words.ts";

interface KeptForksProps {
  forks: readonly Fork[];
  shown: Fork | null;
  onShow: (number: number) => void;
  onDrop: (number: number) => void;
}

export function KeptForks({ forks, shown, onShow, onDrop }: KeptForksProps) {
  return (
    <>
      <h4>{words.kept}</h4>
      {forks.length === 0 && <p className="note">{words.keptNone}</p>}
      <ul className="fork-list" data-testid="fork-list">
        {forks.map(({ number, question }) => (
          <li key={number}>
            <button
              type="button"
              aria-pressed={number === shown?.number}
              onClick={() => onShow(number)}
            >
              {words.fork(number)}
            </button>{" "}
            <span>
              {words.keptLine(
                titleOf(question.algorithm),
                question.iteration,
                question.episode.trajectory + 1,
                question.turn + 1,
              )}
              : {words.change[changeOf(question)]}
            </span>{" "}
            <button
              type="button"
              aria-label={words.dropName(number)}
              onClick={() => onDrop(number)}
            >
              {words.drop}
            </button>
          </li>
        ))}
      </ul>
      {shown && <KeptEpisode number={shown.number} episode={shown.answer.kept} />}
    </>
  );
}

function KeptEpisode({ number, episode }: { number: number; episode: ForkedEpisode }) {
  const { turns, turn: fork, success, reward, finalObservation } = episode;
  return (
    <section aria-label={words.episode(number)} data-testid="fork-episode">
      <h4>{words.episode(number)}</h4>
      <p className="note">{words.episodeHint}</p>
      <ol className="fork-strip" tabIndex={0} aria-label={words.episode(number)}>
        {turns.map(({ observation, text, reward: paid, value }, h) => (
          <li key={h}>
            <p>
              <strong>{h + 1}</strong>{" "}
              <span className="note">
                {h < fork ? words.before : h === fork ? words.here : words.after}
              </span>
            </p>
            <BoardPicture observation={observation} />
            <p className="fork-said">{text}</p>
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
