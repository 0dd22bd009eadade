/**
 * Back, forward, play and pace of a replay. The keyboard presses these buttons by `data-action`.
 */
import { words } from "./words.ts";
import { Button } from "../../../ui/Button.tsx";
import { Select } from "../../../ui/Field.tsx";

const { replay: w } = words;

export type Pace = keyof typeof w.paces;

interface ReplayControlsProps {
  /** The page shown, from 0 to `last`. */
  at: number;
  last: number;
  playing: boolean;
  pace: Pace;
  onMove: (by: number) => void;
  onPlay: () => void;
  onPace: (pace: Pace) => void;
}

export function ReplayControls(props: ReplayControlsProps) {
  const { at, last, playing, pace, onMove, onPlay, onPace } = props;
  // aria-disabled instead of disabled: the button keeps the focus at either end.
  const step = (by: number, action: string, name: string, arrow: string) => {
    const end = at + by < 0 || at + by > last;
    return (
      <Button
        aria-label={name}
        aria-disabled={end}
        data-action={action}
        onClick={() => !end && onMove(by)}
      >
        {arrow}
      </Button>
    );
  };
  return (
    <div className="replay-controls" role="group" aria-label={w.title}>
      {step(-1, "previousPage", w.previous, "←")}
      <span className="replay-at number" data-testid="replay-at">
        {w.frame(at, last)}
      </span>
      {step(1, "nextPage", w.next, "→")}
      <Button data-action="playReplay" data-testid="play" onClick={onPlay}>
        {playing ? w.pause : w.play}
      </Button>
      <label>
        {w.pace} <Select value={pace} options={Object.entries(w.paces)} onPick={onPace} />
      </label>
      <span className="note">{w.keys}</span>
    </div>
  );
}
