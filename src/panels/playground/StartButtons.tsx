/** Where to start: at the level or the turn of the cursor, or on another level. */
import { isFork } from "../../record/forkedEpisode.ts";
import type { Cursor } from "../shared/useCursor.ts";
import type { Turn } from "./gamePlay.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

interface StartButtonsProps {
  cursor: Cursor;
  /** What a task is called. */
  task: string;
  /** Of the current game. */
  seed: number | null;
  onBegin: (seed: number, turns?: readonly Turn[]) => void;
}

/** The playground's own levels start here. */
const FIRST = 1_000_000;

export function StartButtons({ cursor, task, seed, onBegin }: StartButtonsProps) {
  const { episode, at } = cursor;
  const before = (episode?.turns ?? []).slice(0, at.turn).map(({ tokens }): Turn => ({
    who: "recorded",
    said: { ids: tokens.map(({ id }) => id) },
  }));
  const spoken = before.every(({ said }) => "ids" in said && said.ids.length > 0);
  // A game starts on the level's own board.
  const isRecorded = spoken && !(isFork(episode) && episode.boards.some((h) => h <= at.turn));
  const next = seed !== null && seed >= FIRST ? seed + 1 : FIRST;
  return (
    <p className="play-start">
      <span>{words.begin}</span>
      {episode && (
        <Button data-testid="play-cursor" onClick={() => onBegin(episode.seed)}>
          {words.ofCursor(task)}
        </Button>
      )}
      {episode && before.length > 0 && isRecorded && (
        <Button data-testid="play-turn" onClick={() => onBegin(episode.seed, before)}>
          {words.fromTurn(at.turn + 1)}
        </Button>
      )}
      <Button data-testid="play-another" onClick={() => onBegin(next)}>
        {words.another(task)}
      </Button>
    </p>
  );
}
