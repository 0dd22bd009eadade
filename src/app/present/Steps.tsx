/** Navigation between figures: back, forward, the position, and the next one. */
import { Button } from "../../ui/Button.tsx";
import { words } from "./words.ts";

interface StepsProps {
  /** Of the figures. */
  names: readonly string[];
  at: number;
  /** What the figure still hides; null for nothing. */
  hides: string | null;
  /** The next piece of the same figure, in words; null after its last. */
  piece: string | null;
  /** By this many steps: revealing is a step of its own. */
  go: (by: number) => void;
  goTo: (at: number) => void;
}

export function Steps({ names, at, hides, go, goTo, piece }: StepsProps) {
  const then = piece ?? names[at + 1];
  return (
    <div className="present-steps">
      <Button
        aria-label={words.previous}
        aria-disabled={at === 0}
        onClick={() => go(-1)}
        data-testid="present-previous"
      >
        ←
      </Button>
      <Button
        aria-label={hides === null ? words.next : words.reveal(hides)}
        aria-disabled={then === undefined && hides === null}
        onClick={() => go(1)}
        data-testid="present-next"
      >
        →
      </Button>
      <Dots {...{ names, at, goTo }} />
      <span className="present-next" title={then} data-testid="present-then">
        {hides === null ? then && words.then : null}{" "}
        <strong>{hides ? words.reveal(hides) : then}</strong>
      </span>
    </div>
  );
}

/** Maximum number of figures shown as dots. */
const DOTS = 12;

/** One for each figure, also in words, which are shown alone if the dots do not fit. */
function Dots({ names, at, goTo }: Pick<StepsProps, "names" | "at" | "goTo">) {
  const hasDots = names.length <= DOTS;
  return (
    <>
      {hasDots && (
        <ol className="present-dots" aria-label={words.figures}>
          {names.map((name, i) => (
            <li key={i}>
              <Button
                look="quiet"
                aria-label={name}
                aria-current={i === at ? "step" : undefined}
                data-done={i <= at ? "" : undefined}
                onClick={() => goTo(i)}
                data-testid="present-dot"
              />
            </li>
          ))}
        </ol>
      )}
      <span className={hasDots ? "present-count present-count-dotted" : "present-count"}>
        {words.place(at + 1, names.length)}
      </span>
    </>
  );
}
