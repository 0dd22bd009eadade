/**
 * The first screen before its page has loaded: the strip, and the run bar. It is rendered twice
 * with the same positions and sizes: as HTML of index.html at build time, and then by React, so
 * that the strip is interactive. Other actions are passed to the page once it has loaded.
 */
import { useEffect, useState, type ReactNode } from "react";
import { menuLabel } from "../../charts/menuLabel.ts";
import { OpeningStrip } from "../../panels/opening/OpeningStrip.tsx";
import { openingWords } from "../../panels/opening/words.ts";
import { Icon } from "../../ui/Icon.tsx";
import { usePainted } from "../afterPaint.tsx";
import {
  ALGORITHMS_HASH,
  GALLERY_HASH,
  OWN_HASH,
  GLOSSARY_HASH,
  MACHINE_HASH,
  ROUTES,
  SHOP_HASH,
  type Route,
} from "../route.ts";
import { Brand } from "../shell/Brand.tsx";
import { words as barWords } from "../shell/words.ts";
import { appWords } from "../strings.ts";
import type { FirstFacts } from "./facts.ts";
import { Button } from "../../ui/Button.tsx";

/** Asks the page to do what its part of that name does. */
type Ask = (name: string) => void;

interface FirstScreenProps {
  /** HTML of the text above the figure. */
  prose: string;
  facts: FirstFacts | null;
  onAsk?: Ask;
  onGuess?: (turn: number) => void;
  onPainted?: () => void;
}

export function FirstScreen({ prose, facts, onAsk, onGuess, onPainted }: FirstScreenProps) {
  const [asked, setAsked] = useState<readonly string[]>([]);
  const ask = (name: string) => {
    // Already requested: repeating it would undo it.
    if (asked.includes(name)) return;
    setAsked([...asked, name]);
    onAsk?.(name);
  };
  const painted = usePainted();
  useEffect(() => {
    if (painted) onPainted?.();
  }, [painted, onPainted]);
  const parts = { asked, ask };
  return (
    <>
      <FirstHeader {...parts} />
      <main>
        <article className="notebook">
          <div className="prose" dangerouslySetInnerHTML={{ __html: prose }} />
          <div className="opening">
            {facts && <FirstFigure {...parts} facts={facts} onGuess={onGuess} />}
          </div>
        </article>
      </main>
      <FirstBar {...parts} />
    </>
  );
}

interface PartProps {
  /** Actions waiting for the page, in order. */
  asked: readonly string[];
  ask: Ask;
}

/** Views whose address needs no experiment. */
const HASHES: Partial<Record<Route, string>> = {
  gallery: GALLERY_HASH,
  own: OWN_HASH,
  algorithms: ALGORITHMS_HASH,
  glossary: GLOSSARY_HASH,
  shop: SHOP_HASH,
  machine: MACHINE_HASH,
};

function FirstHeader({ asked, ask }: PartProps) {
  return (
    <header className="page-header">
      <LaterLink name="to-notebook" href="#" className="brand" {...{ asked, ask }}>
        <Brand />
      </LaterLink>
      <nav aria-label={appWords.views}>
        {ROUTES.map((view) => (
          <LaterLink
            key={view}
            name={`to-${view}`}
            href={HASHES[view] ?? "#"}
            isHere={view === "gallery"}
            {...{ asked, ask }}
          >
            {appWords.links[view]}
          </LaterLink>
        ))}
      </nav>
    </header>
  );
}

interface FirstFigureProps extends PartProps {
  facts: FirstFacts;
  onGuess: ((turn: number) => void) | undefined;
}

function FirstFigure({ facts, onGuess, asked, ask }: FirstFigureProps) {
  const { opening, pictures, titles, note, methods } = facts;
  const words = openingWords.live;
  return (
    <>
      <section className="opening-strip" aria-label={openingWords.title}>
        <OpeningStrip
          {...{ opening, pictures, titles }}
          guessed={null}
          onGuess={onGuess}
          isStandIn
          data={
            <LaterButton
              name="data-opening"
              className="quiet chart-menu"
              label={menuLabel(openingWords.title)}
              {...{ asked, ask }}
            >
              <Icon name="more" />
            </LaterButton>
          }
          lens={
            <LaterLink name="opening-lens" href="#" {...{ asked, ask }}>
              {openingWords.lens}
            </LaterLink>
          }
        />
      </section>
      <aside className="opening-run" aria-label={words.title}>
        <h2>{words.title}</h2>
        {note !== "" && <p className="note">{note}</p>}
        <div className="opening-curves" />
        <LaterButton name="opening-start" className="primary opening-start" {...{ asked, ask }}>
          <Icon name="play" />
          {words.start(methods)}
        </LaterButton>
        <p className="note">{words.note}</p>
      </aside>
    </>
  );
}

function FirstBar({ asked, ask }: PartProps) {
  return (
    <section className="run-bar" aria-label={barWords.title}>
      <div className="bar-buttons" role="group" aria-label={barWords.title}>
        <LaterButton name="run" className="primary" {...{ asked, ask }}>
          <Icon name="play" />
          {asked.includes("run") ? barWords.loading : barWords.run}
        </LaterButton>
        <LaterButton name="step" label={barWords.step} {...{ asked, ask }}>
          <Icon name="step" />
        </LaterButton>
        <Button aria-label={barWords.reset} disabled>
          <Icon name="reset" />
        </Button>
      </div>
      <span className="bar-track" />
    </section>
  );
}

interface LaterProps extends PartProps {
  /** `data-as` of the page's own part, which replaces it. */
  name: string;
  children: ReactNode;
}

interface LaterButtonProps extends LaterProps {
  className?: string;
  /** Label if it shows no text. */
  label?: string;
}

function LaterButton({ name, className, label, asked, ask, children }: LaterButtonProps) {
  return (
    <Button
      className={className}
      aria-label={label}
      aria-busy={asked.includes(name) || undefined}
      data-as={name}
      onClick={() => ask(name)}
    >
      {children}
    </Button>
  );
}

interface LaterLinkProps extends LaterProps {
  href: string;
  isHere?: boolean;
  className?: string;
}

function LaterLink(props: LaterLinkProps) {
  const { name, href, isHere = false, asked, ask, className, children } = props;
  return (
    <a
      href={href}
      className={className}
      aria-current={isHere ? "page" : undefined}
      aria-busy={asked.includes(name) || undefined}
      data-as={name}
      onClick={(event) => {
        // Only the page knows where it leads.
        event.preventDefault();
        ask(name);
      }}
    >
      {children}
    </a>
  );
}
