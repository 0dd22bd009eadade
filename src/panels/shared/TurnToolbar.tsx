/** Which episode is shown: method, iteration, episode. */
import { memo } from "react";
import { useExperiment } from "../../store/hooks.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import {
  chooseAlgorithm,
  chooseIteration,
  moveEpisode,
  setFollow,
  type ResolvedChoice,
  type TurnChoice,
} from "../../store/turnChoice.ts";
import { titleOf } from "../../reading/titles.ts";
import { panelWords } from "./strings.ts";
import { useCursor } from "./useCursor.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckBox, Select } from "../../ui/Field.tsx";

const words = panelWords.turns;

export function TurnToolbar() {
  const { store } = useExperiment();
  const { view, at } = useCursor();
  const { algorithm, iterations, iteration, follow } = at;
  const change = (step: (log: RunLog, choice: TurnChoice) => TurnChoice) =>
    store.setState(({ view: { log }, choice }) => ({ choice: step(log, choice) }));
  return (
    <div className="toolbar" role="group" aria-label="Episode shown">
      <label>
        {words.method}
        <Select
          value={algorithm}
          data-testid="turns-algorithm"
          options={view.log.algorithms.map((name) => [name, titleOf(name)])}
          onPick={(name) => change((_, choice) => chooseAlgorithm(choice, name))}
        />
      </label>
      {iterations.length > 0 && (
        <label>
          {words.iteration}
          <select
            value={iteration}
            data-testid="turns-iteration"
            onChange={({ target }) =>
              change((_, choice) => chooseIteration(choice, Number(target.value)))
            }
          >
            <Iterations all={iterations} />
          </select>
        </label>
      )}
      <CheckBox
        checked={follow}
        onChange={({ target }) => change((log, choice) => setFollow(log, choice, target.checked))}
      >
        {words.follow}
      </CheckBox>
      {at.episodes.length > 0 && (
        <EpisodeStepper
          resolved={at}
          onMove={(by) => change((log, choice) => moveEpisode(log, choice, by))}
        />
      )}
    </div>
  );
}

interface IterationsProps {
  all: readonly number[];
}

/** A long run has hundreds, and the cursor moves often. */
const Iterations = memo(
  function Iterations({ all }: IterationsProps) {
    return all.map((n) => (
      <option key={n} value={n}>
        {n}
      </option>
    ));
  },
  (before, now) =>
    before.all.length === now.all.length && now.all.every((n, i) => n === before.all[i]),
);

interface EpisodeStepperProps {
  resolved: ResolvedChoice;
  onMove: (by: number) => void;
}

function EpisodeStepper({ resolved: { episode, episodes }, onMove }: EpisodeStepperProps) {
  // aria-disabled instead of disabled: the button keeps the focus at either end.
  const step = (by: number, name: string, arrow: string, end: boolean) => (
    <Button aria-label={name} aria-disabled={end} onClick={() => !end && onMove(by)}>
      {arrow}
    </Button>
  );
  return (
    <div className="stepper" role="group" aria-label={words.episode}>
      {step(-1, words.previous, "←", episode === 0)}
      <span data-testid="turns-episode">
        {words.episode} {Math.min(episode + 1, episodes.length)} of {episodes.length}
      </span>
      {step(1, words.next, "→", episode >= episodes.length - 1)}
    </div>
  );
}
