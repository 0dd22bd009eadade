/** What can be clicked on a shop page. On a watched page it is text, and the clicked one is marked. */
import type { ReactNode } from "react";
import { usePage } from "./pageUse.ts";
import type { ElementKey } from "./trip.ts";
import { words } from "./words.ts";

interface PressProps {
  /** WebShop's name for it, as its page writes it. */
  name: string;
  /** Shown instead of the name. */
  children?: ReactNode;
  className?: string;
  /** Default: a button of that name. */
  element?: ElementKey;
}

export function Press({
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
    <button
      type="button"
      className={classes}
      data-element={element}
      onClick={() => act(clickText(name))}
    >
      {children}
    </button>
  );
}

/** As WebShop lists what can be clicked: in small letters. */
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
