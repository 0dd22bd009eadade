/** An episode as a row of turns: board, response, and notes below; yellow at the cursor. */
import type { ReactNode } from "react";
import { pictureOf } from "../../env/descriptors.ts";
import { around } from "../../numeric/lists.ts";
import { BoardPicture } from "./BoardPicture.tsx";
import { panelWords } from "./strings.ts";
import { Button } from "../../ui/Button.tsx";
import "./episodeStrip.css";

interface StripTurn {
  text: string;
  /** What the turn saw; drawn if it is a board. */
  observation?: string;
  /** Below the text. */
  below?: ReactNode;
}

interface EpisodeStripProps {
  turns: readonly StripTurn[];
  label: string;
  /** Turn of the cursor; null if it is on none of them. */
  here: number | null;
  /** If turns can be selected. */
  onChoose?: ((turn: number) => void) | undefined;
  testId?: string;
}

/** Maximum turns drawn at once; those around the cursor, or the last ones. */
const MOST = 16;

export function EpisodeStrip({ turns, label, here, onChoose, testId }: EpisodeStripProps) {
  const { from, to } = around(here ?? turns.length - 1, turns.length, MOST);
  return (
    // tabIndex: a scrollable region must be reachable by keyboard.
    <ol className="episode-strip" tabIndex={0} aria-label={label} data-testid={testId}>
      {turns.slice(from, to).map((turn, i) => (
        <li key={from + i} aria-current={from + i === here ? "step" : undefined}>
          <Head h={from + i} onChoose={onChoose} />
          {turn.observation !== undefined && pictureOf(turn.observation) && (
            <BoardPicture observation={turn.observation} />
          )}
          <code title={turn.text}>{turn.text}</code>
          {turn.below}
        </li>
      ))}
    </ol>
  );
}

function Head({ h, onChoose }: Pick<EpisodeStripProps, "onChoose"> & { h: number }) {
  const name = panelWords.turnName(h);
  if (!onChoose) return <strong>{name}</strong>;
  return (
    <Button look="quiet" onClick={() => onChoose(h)}>
      {name}
    </Button>
  );
}
