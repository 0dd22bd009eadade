/** The position of the shared cursor, with a control for each of its parts. */
import { formatSigned } from "../../numeric/format.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { switchFork } from "../../store/forks.ts";
import { type Fork } from "../../store/forkTypes.ts";
import { moveToken, moveTurn, type ChoiceMove } from "../../store/turnChoice.ts";
import { useAnswerer } from "../shared/ask/LiveModel.tsx";
import { TruthButton } from "../shared/ask/TruthButton.tsx";
import { OriginTag } from "../shared/OriginTag.tsx";
import { waitingFor } from "../shared/waiting.ts";
import { TurnToolbar } from "../shared/TurnToolbar.tsx";
import { useCursor } from "../shared/useCursor.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

export function CursorBar() {
  const { store } = useExperiment();
  const { at, episode, turn, token, missed } = useCursor();
  const live = useAnswerer() !== null;
  const waiting = useExperimentState(waitingFor);
  const go = (move: ChoiceMove) => () =>
    store.setState(({ view: { log }, choice }) => ({ choice: move(log, choice) }));
  if (!episode) return waiting === null ? null : <WaitingBar text={waiting} />;
  const turns = episode.turns.length;
  return (
    <div className="cursor-bar" data-scope="turns" data-testid="cursor" tabIndex={-1}>
      <TurnToolbar />
      {at.fork && <ForkHere fork={at.fork} branch={at.branch} />}
      <Stepper
        name={words.turn}
        text={`${words.turn} ${at.turn + 1} ${words.of} ${turns}`}
        here={token === undefined}
        back={at.turn > 0 ? go((log, choice) => moveTurn(log, choice, -1)) : null}
        forward={at.turn < turns - 1 ? go((log, choice) => moveTurn(log, choice, 1)) : null}
      />
      <Stepper
        name={words.token}
        text={token ? `${words.token} ${at.token! + 1}: ${token.text}` : words.wholeTurn}
        here={token !== undefined}
        back={go((log, choice) => moveToken(log, choice, -1))}
        forward={go((log, choice) => moveToken(log, choice, 1))}
      />
      {missed && (
        <span className="note" role="status" data-testid="cursor-missed">
          {words.missed(missed)}
        </span>
      )}
      <span className="note cursor-rest">
        {words.earned(
          known(episode.reward) ?? words.notInFile,
          at.fork ? null : known(turn?.reward),
        )}
      </span>
      {live && <TruthButton brief />}
      {!at.fork && <OriginTag />}
    </div>
  );
}

/** All panels show a what-if episode; a button returns to the recorded one. */
function ForkHere({ fork, branch }: { fork: Fork; branch: number }) {
  const { store } = useExperiment();
  return (
    <span className="cursor-fork" role="status" data-testid="cursor-fork">
      <span>
        <strong>{words.fork(fork.number, fork.question.episode.trajectory)}</strong>
        <span className="cursor-branch">{words.branch(branch, fork.answer.kept.length)}</span>
      </span>{" "}
      <Button title={words.backHint} onClick={() => store.setState(switchFork)}>
        {words.toRecord}
      </Button>
    </span>
  );
}

/** The place does not change, and the method can be selected. */
function WaitingBar({ text }: { text: string }) {
  const { view } = useCursor();
  return (
    <div className="cursor-bar" data-scope="turns" data-testid="cursor" tabIndex={-1}>
      {view.log.algorithms.length > 0 && <TurnToolbar />}
      <span data-testid="cursor-waiting">{text}</span>
      <OriginTag />
    </div>
  );
}

/** A file may have the rewards of whole episodes only, or none. */
function known(reward: number | undefined): string | null {
  return Number.isFinite(reward) ? formatSigned(reward) : null;
}

interface StepperProps {
  name: string;
  text: string;
  /** Whether it is the last step of the cursor's path. */
  here: boolean;
  /** Null at the end. */
  back: (() => void) | null;
  forward: (() => void) | null;
}

/** aria-disabled instead of disabled: the button keeps the focus at either end. */
function Stepper({ name, text, here, back, forward }: StepperProps) {
  const step = (label: string, arrow: string, act: (() => void) | null) => (
    <Button aria-label={label} aria-disabled={act === null} onClick={() => act?.()}>
      {arrow}
    </Button>
  );
  return (
    <div className={here ? "stepper here" : "stepper"} role="group" aria-label={name}>
      {step(words.previous(name), "←", back)}
      <span>{text}</span>
      {step(words.next(name), "→", forward)}
    </div>
  );
}
