/** The opening page's figure: the strip of an episode, and beside it what the methods learned. */
import { useRef, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { pictureOf } from "../../env/descriptors.ts";
import { readOpening, type Opening } from "../../reading/opening.ts";
import { openingTitles } from "../../reading/openingTitles.ts";
import { playsElsewhere } from "../../store/anotherRun.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { openLinkOf } from "../../store/links.ts";
import { useReveal } from "../../ui/reveal.ts";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { useServed } from "../../ui/parts/served.ts";
import { OpeningStrip } from "./OpeningStrip.tsx";
import { guessedBefore } from "./guessed.ts";
import { OpeningRun } from "./OpeningRun.tsx";
import { boardsOf, statementOf } from "./strip.ts";
import { openingWords as words } from "./words.ts";
import { Empty } from "../../ui/Empty.tsx";
import "./opening.css";

const StripMenu = lazyPart("StripMenu", () => import("./StripMenu.tsx"), "");

interface OpeningFigureProps {
  /** Next to the page. */
  file: string;
  /** Charts of what was learned. */
  curves: ReactNode;
  /** The conclusion from them; "" for none. */
  note: string;
  /** How long the run takes here, in words; null if unknown. */
  takes: string | null;
}

export function OpeningFigure(props: OpeningFigureProps) {
  const ofFile = useStore(useExperiment().store, ({ view }) => view.origin === "imported");
  // The example's episode and its run's texts do not apply to a file shown.
  return ofFile ? <OpeningRun {...props} note="" /> : <Example {...props} />;
}

function Example({ file, curves, note, takes }: OpeningFigureProps) {
  const opening = useServed(file, readOpening);
  const [guess, setGuess] = useState(guessedBefore);
  const [asked, setAsked] = useState(false);
  const figure = useRef<HTMLElement>(null);
  const isSeen = guess !== null || asked;
  const loaded = typeof opening === "object" ? opening : null;
  useReveal(figure, isSeen || !loaded ? null : words.hides, () => setAsked(true));
  return (
    <>
      <section
        ref={figure}
        className="opening-strip"
        aria-label={words.title}
        data-testid="opening"
        data-figure="opening"
        data-figure-title={isSeen && loaded ? statementOf(loaded, openingTitles) : words.figure}
      >
        {opening === "missing" && <Empty>{words.missing}</Empty>}
        {loaded && (
          <OpeningStrip
            opening={loaded}
            pictures={boardsOf(loaded).map(pictureOf)}
            titles={openingTitles}
            guessed={guessedBefore()}
            revealed={asked}
            onGuess={setGuess}
            lens={<LensLink opening={loaded} />}
            data={<StripMenu opening={loaded} isSeen={isSeen} />}
          />
        )}
      </section>
      <OpeningRun curves={curves} note={note} takes={takes} />
    </>
  );
}

/** The strip's episode in the lens, with the experiment's state at the time of the click; none if that plays elsewhere. */
function LensLink({ opening: { at } }: { opening: Opening }) {
  const { store } = useExperiment();
  const elsewhere = useExperimentState(playsElsewhere);
  const href = () => {
    const state = store.getState();
    return openLinkOf(
      { ...state, choice: { ...state.choice, ...at, turn: 0, token: null } },
      "lens",
    );
  };
  if (elsewhere) return null;
  return (
    <a
      href={href()}
      // The experiment may have changed since this was drawn.
      onPointerDown={({ currentTarget }) => (currentTarget.href = href())}
      onFocus={({ currentTarget }) => (currentTarget.href = href())}
      data-as="opening-lens"
      data-testid="opening-lens"
    >
      {words.lens}
    </a>
  );
}
