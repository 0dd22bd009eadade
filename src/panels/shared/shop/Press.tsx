/** A clickable element of a shop page, with a model's probability of it; on a watched page it is text, and the clicked one is marked. */
import type { ReactNode } from "react";
import { formatPercent } from "../../../numeric/format.ts";
import { usePage } from "./pageUse.ts";
import type { ElementKey } from "../../../reading/shop/trip.ts";
import { words } from "./words.ts";
import { Button } from "../../../ui/Button.tsx";

interface PressProps {
  /** WebShop's name for it, as written on its page. */
  name: string;
  /** Shown instead of the name. */
  children?: ReactNode;
  className?: string;
  /** Default: a button of that name. */
  element?: ElementKey;
}

export function ShopButton({
  name,
  children = name,
  className,
  element = `button:${name}`,
}: PressProps) {
  const { act, target } = usePage();
  const classes = className ?? "press";
  if (act === null) {
    return (
      <Marked on={target === element}>
        <span className={classes} data-element={element}>
          {children}
        </span>
      </Marked>
    );
  }
  return (
    <Button className={classes} data-element={element} onClick={() => act(clickText(name))}>
      {children}
      <Remarks text={clickText(name)} element={element} />
    </Button>
  );
}

/** Notes on a clickable element: whether it is selected, and its probability. */
export function Remarks({ text, element }: { text: string; element: ElementKey }) {
  const { act, target, chances } = usePage();
  const chance = chances?.get(text);
  if (act === null) return null;
  return (
    <>
      {target === element && <span className="chosen-word">{words.turn.chosen}</span>}
      {chance !== undefined && (
        <span className="chance number" data-chance={text} title={words.turn.chance}>
          {formatPercent(chance)}
        </span>
      )}
    </>
  );
}

/** In WebShop's format of clickables: lower case. */
export function clickText(name: string): string {
  return `click[${name.toLowerCase()}]`;
}

/** A frame and a word around the element that a watched turn uses. */
export function Marked({ on, children }: { on: boolean; children: ReactNode }) {
  if (!on) return children;
  return (
    <span className="target" data-testid="target">
      {children}
      <span className="target-word">{words.replay.clicked}</span>
    </span>
  );
}
