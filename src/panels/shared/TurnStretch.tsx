/** Which turns of a long episode are drawn, with controls for the others. */
import type { Stretch } from "../../numeric/stretch.ts";
import { stretchWords as words } from "../../figures/turnStretch.ts";
import { Button } from "../../ui/Button.tsx";

interface TurnStretchProps {
  stretch: Stretch;
  count: number;
  onChoose: (turn: number) => void;
  /** Its position, for tests. */
  id: string;
}

/** Earlier and later turns: the cursor moves with them, so that its turn is always shown. */
export function TurnStretch({ stretch: { from, to }, count, onChoose, id }: TurnStretchProps) {
  if (to - from === count) return null;
  // aria-disabled instead of disabled: the button keeps the focus at either end.
  const step = (name: string, turn: number, isEnd: boolean) => (
    <Button aria-disabled={isEnd} onClick={() => !isEnd && onChoose(turn)}>
      {name}
    </Button>
  );
  return (
    <p className="turn-stretch" data-testid={`${id}-stretch`}>
      {words.stretch(from + 1, to, count)} {step(words.earlier, from - 1, from === 0)}{" "}
      {step(words.later, to, to === count)}
    </p>
  );
}
