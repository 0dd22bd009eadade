/** The notebook's headings beside its text, in view as long as one reads; where the window is wide enough. */
import { useEffect, useMemo, useState, type RefObject } from "react";
import type { Cell } from "../notebook/cell.ts";
import { headingsOf } from "../notebook/headings.ts";
import { appWords } from "./strings.ts";
import { Button } from "../ui/Button.tsx";

interface ContentsProps {
  cells: readonly Cell[];
  /** What they are the headings of. */
  article: RefObject<HTMLElement | null>;
}

/** Nothing for a text that one overlooks anyway. */
const FEWEST = 2;

export function Contents({ cells, article }: ContentsProps) {
  const titles = useMemo(() => headingsOf(cells), [cells]);
  const now = useReading(article, titles);
  if (titles.length < FEWEST) return null;
  return (
    <nav className="reading-contents" aria-label={appWords.contents} data-testid="contents">
      <ol>
        {titles.map((title, i) => (
          <li key={i}>
            <Button
              aria-current={i === now ? "true" : undefined}
              onClick={() => goTo(headingIn(article.current, titles, i))}
            >
              {title}
            </Button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** As it stands in the page; the text may not be there yet. */
function headingIn(
  article: HTMLElement | null,
  titles: readonly string[],
  at: number,
): HTMLElement | null {
  const all = [...(article?.querySelectorAll<HTMLElement>(".prose h2") ?? [])];
  if (all.length === titles.length) return all[at] ?? null;
  return all.find(({ textContent }) => textContent === titles[at]) ?? null;
}

/** The focus goes along, so that Tab goes on from there. */
function goTo(heading: HTMLElement | null): void {
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "start" });
}

/** Share of the window's height above which a heading's text is what one reads. */
const READ = 0.4;

/** Place of the heading whose text is read; -1 above the first. */
function useReading(article: RefObject<HTMLElement | null>, titles: readonly string[]): number {
  const [now, setNow] = useState(-1);
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const line = window.innerHeight * READ;
      const above = titles.map((_, i) => headingIn(article.current, titles, i));
      setNow(above.findLastIndex((one) => one && one.getBoundingClientRect().top < line));
    };
    const later = () => void (frame ||= requestAnimationFrame(look));
    later();
    window.addEventListener("scroll", later, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", later);
    };
  }, [article, titles]);
  return now;
}
