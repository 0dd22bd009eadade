/** The opening page's figure: the strip of an episode, and beside it what the methods learned. */
import type { ReactNode } from "react";
import { pictureOf } from "../../env/descriptors.ts";
import { readOpening, type Opening } from "../../reading/opening.ts";
import { openingTitles } from "../../reading/openingTitles.ts";
import { useExperiment } from "../../store/hooks.ts";
import { openLinkOf } from "../../store/links.ts";
import { useServed } from "../../ui/parts/served.ts";
import { OpeningStrip } from "./OpeningStrip.tsx";
import { guessedBefore } from "./guessed.ts";
import { OpeningRun } from "./OpeningRun.tsx";
import { boardsOf } from "./strip.ts";
import { openingWords as words } from "./words.ts";
import "./opening.css";

interface OpeningFigureProps {
  /** Beside the page. */
  file: string;
  /** Charts of what was learned. */
  curves: ReactNode;
  /** What may be concluded from them; "" for nothing. */
  note: string;
}

export function OpeningFigure({ file, curves, note }: OpeningFigureProps) {
  const opening = useServed(file, readOpening);
  return (
    <>
      <section
        className="opening-strip"
        aria-label={words.title}
        data-testid="opening"
        data-figure="opening"
        data-figure-title={words.figure}
      >
        {opening === "missing" && <p className="empty">{words.missing}</p>}
        {typeof opening === "object" && opening && (
          <OpeningStrip
            opening={opening}
            pictures={boardsOf(opening).map(pictureOf)}
            titles={openingTitles}
            guessed={guessedBefore()}
            lens={<LensLink opening={opening} />}
          />
        )}
      </section>
      <OpeningRun curves={curves} note={note} />
    </>
  );
}

/** The strip's episode in the lens, with the experiment as it stands when the link is followed. */
function LensLink({ opening: { at } }: { opening: Opening }) {
  const { store } = useExperiment();
  const href = () => {
    const state = store.getState();
    return openLinkOf(
      { ...state, choice: { ...state.choice, ...at, turn: 0, token: null } },
      "lens",
    );
  };
  return (
    <a
      href={href()}
      // The experiment may have changed since this was drawn.
      onPointerDown={({ currentTarget }) => (currentTarget.href = href())}
      onFocus={({ currentTarget }) => (currentTarget.href = href())}
      data-testid="opening-lens"
    >
      {words.lens}
    </a>
  );
}
