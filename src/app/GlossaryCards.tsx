/**
 * Words with a card that explains them: on hover, focus or a tap; Escape closes it. A word has its
 * meaning as `data-term-meaning`, or a glossary term's id as `data-term-id`. One card serves the
 * whole page.
 */
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { Popover } from "radix-ui";
import { capital } from "../numeric/counted.ts";
import { glossary, glossaryTerm } from "../spec/glossary.ts";
import { Tex } from "../ui/maths/Tex.tsx";
import "../ui/termCards.css";

const known = new Set(glossary.flatMap(({ terms }) => terms.map(({ id }) => id)));

interface TermMeaning {
  term: string;
  /** A sentence without its full stop. */
  meaning: string;
  /** KaTeX. */
  equation?: string | undefined;
}

interface ShownTerm extends TermMeaning {
  word: HTMLElement;
}

/** Delay in milliseconds before the card opens on hover, and before it closes. */
const OPENS_AFTER = 150;
const CLOSES_AFTER = 200;

export function GlossaryCards() {
  const [shown, setShown] = useState<ShownTerm | null>(null);
  const id = useId();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = (word: HTMLElement | null, after: number) => {
    clearTimeout(timer.current);
    const now = () => {
      const said = word && meaningOf(word);
      setShown(word && said ? { ...said, word } : null);
    };
    if (after === 0) now();
    else timer.current = setTimeout(now, after);
  };
  useWords(show);
  useEffect(() => () => clearTimeout(timer.current), []);
  // A word may have had the focus before the cards were mounted.
  const begin = useEffectEvent(() => show(wordAt(document.activeElement), 0));
  useEffect(() => begin(), []);
  const word = shown?.word;
  useEffect(() => {
    word?.setAttribute("aria-describedby", id);
    return () => word?.removeAttribute("aria-describedby");
  }, [word, id]);
  if (!shown) return null;
  return (
    <Popover.Root open onOpenChange={(open) => open || show(null, 0)}>
      <Popover.Anchor virtualRef={{ current: shown.word }} />
      <Popover.Portal>
        <Popover.Content
          id={id}
          role="tooltip"
          className="term-card"
          data-testid="term-card"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          // A press on a word is handled by the word.
          onPointerDownOutside={(event) => wordAt(event.target) && event.preventDefault()}
          onFocusOutside={(event) => event.preventDefault()}
          onPointerEnter={() => clearTimeout(timer.current)}
          onPointerLeave={() => show(null, CLOSES_AFTER)}
        >
          <strong>{shown.term}</strong>
          <p>{capital(shown.meaning)}.</p>
          {shown.equation !== undefined && <Tex tex={shown.equation} />}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

const WORDS = "[data-term-id], [data-term-meaning]";

function wordAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(WORDS) : null;
}

/** Null if there is no such term. */
function meaningOf(word: HTMLElement): TermMeaning | null {
  const { termId, termMeaning } = word.dataset;
  if (termMeaning !== undefined) return { term: word.textContent, meaning: termMeaning };
  return termId !== undefined && known.has(termId) ? glossaryTerm(termId) : null;
}

/** Listens to events of all such words of the page. */
function useWords(show: (word: HTMLElement | null, after: number) => void): void {
  const hear = useEffectEvent((event: Event) => {
    const word = wordAt(event.target);
    if (!word) return;
    const isMouse = event instanceof PointerEvent && event.pointerType === "mouse";
    if (event.type === "pointerover") return isMouse ? show(word, OPENS_AFTER) : undefined;
    if (event.type === "pointerout") return isMouse ? show(null, CLOSES_AFTER) : undefined;
    show(event.type === "focusout" ? null : word, 0);
  });
  useEffect(() => {
    const listener = (event: Event) => hear(event);
    const types = ["pointerover", "pointerout", "focusin", "focusout", "click"];
    for (const type of types) document.addEventListener(type, listener);
    return () => {
      for (const type of types) document.removeEventListener(type, listener);
    };
  }, []);
}
