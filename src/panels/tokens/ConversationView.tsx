/** The part of the conversation around the cursor: one tab stop, a chip for each token. */
import { memo, type SyntheticEvent, useMemo, useState } from "react";
import { formatNumber, formatSigned } from "../../numeric/format.ts";
import { signedScale, toneBackground, type SignedTone } from "../../charts/signedScale.ts";
import type { GivenPart } from "../../draw/FigureView.tsx";
import type { TokenStanding } from "../../figures/tokens/conversation.ts";
import { describePart } from "../../figures/tokens/describe.ts";
import { pageAt, type TokenPage } from "../../figures/tokens/pages.ts";
import { measured } from "../../figures/tokens/shownTokens.ts";
import type { ConversationShown } from "../../figures/tokens/tokens.ts";
import { words, type Measure } from "../../figures/tokens/words.ts";
import { useStrip } from "../../ui/useStrip.ts";
import { MORE_LETTERS, stretchesOf } from "../../numeric/longText.ts";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { Button } from "../../ui/Button.tsx";
import type { PromptTextProps } from "./PromptText.tsx";
import "./tokens.css";

/** Pixels that stay visible below the token at the cursor. */
const LINES_BELOW = 70;

type GoToken = (turn: number, token: number | null) => void;

export function ConversationView({ given, does }: GivenPart<ConversationShown>) {
  const { conversation, standing } = given;
  const { tokens, pages } = conversation;
  const go: GoToken = (turn, token) => does({ to: given.go(turn, token) });
  const choose = (flat: number) => {
    const token = tokens[flat];
    if (token) go(token.turn, token.token);
  };
  const { ref, onKeyDown } = useStrip<HTMLDivElement>(standing.flat, tokens.length, choose);
  // One pair of handlers for hundreds of chips.
  const onChip = ({ target }: SyntheticEvent) => {
    const place = target instanceof HTMLElement ? target.dataset["strip"] : undefined;
    if (place !== undefined && !isAt(standing, Number(place))) choose(Number(place));
  };
  const page = pageAt(pages, standing.turn, standing.token ?? 0);
  return (
    <>
      <Parts pages={pages} page={page} go={go} />
      <div
        className="tokens-box"
        ref={ref}
        data-below={LINES_BELOW}
        onKeyDown={onKeyDown}
        onFocus={onChip}
        // Without tokens nothing in it is focusable.
        tabIndex={tokens.length === 0 ? 0 : undefined}
        role="group"
        aria-label={words.conversation}
        data-testid="tokens-conversation"
      >
        {/* presentation: its chips are buttons; one handler serves them all. */}
        <div role="presentation" className="listens" onClick={onChip}>
          {pages[page] && <Turns {...given} page={pages[page]} />}
        </div>
      </div>
    </>
  );
}

const isAt = ({ flat, token }: TokenStanding, place: number) => place === flat && token !== null;

function Parts({ pages, page, go }: { pages: TokenPage[]; page: number; go: GoToken }) {
  if (pages.length < 2) return null;
  const step = (name: string, to: number) => {
    const target = pages[to];
    const act = () => target && go(target.fromTurn, target.tokens?.from ?? null);
    return (
      <Button aria-disabled={!target} onClick={act}>
        {name}
      </Button>
    );
  };
  return (
    <p className="tokens-parts" data-testid="tokens-part">
      {describePart(pages, page)} {step(words.previousPart, page - 1)}{" "}
      {step(words.nextPart, page + 1)}
    </p>
  );
}

function Turns({ page, ...given }: ConversationShown & { page: TokenPage }) {
  const { conversation, standing, colouring } = given;
  const { episode, start, tokens, spec } = conversation;
  const scale = useMemo(() => signedScale(colouring.among), [colouring]);
  const { fromTurn, toTurn, tokens: part } = page;
  return episode.turns.slice(fromTurn, toTurn).map(({ observation, text }, i) => {
    const turn = fromTurn + i;
    const first = start[turn]!;
    const from = first + (part?.from ?? 0);
    const to = part ? first + part.to : start[turn + 1]!;
    return (
      <section key={turn} className="tokens-turn" aria-label={words.turn(turn)}>
        <h4>
          {words.turn(turn)} <span className="note">{words.environment}</span>
        </h4>
        <Observation text={observation} />
        <TurnPrompt spec={spec} episode={episode} turn={turn} />
        <p className="tokens-chips">
          <span className="note">{words.model}</span>{" "}
          {from === to && (
            <span className="tokens-plain">
              {text} <span className="note">({words.noTurnTokens})</span>
            </span>
          )}
          {tokens.slice(from, to).map((token, k) => {
            const number = measured(token, colouring.measure);
            return (
              <Chip
                key={from + k}
                flat={from + k}
                text={token.text}
                breaks={token.breaks}
                says={`${token.text}, ${describeNumber(number, colouring.measure)}`}
                {...scale(number ?? NaN)}
                isStop={from + k === standing.flat}
                isCurrent={isAt(standing, from + k)}
              />
            );
          })}
        </p>
      </section>
    );
  });
}

interface ChipProps extends SignedTone {
  flat: number;
  text: string;
  breaks: boolean;
  says: string;
  /** Whether it is the strip's tab stop. */
  isStop: boolean;
  isCurrent: boolean;
}

const Chip = memo(function Chip({
  flat,
  text,
  breaks,
  says,
  isStop,
  isCurrent,
  ...tone
}: ChipProps) {
  return (
    <>
      <Button
        className={`token-chip token-${tone.sign}`}
        tabIndex={isStop ? 0 : -1}
        data-strip={flat}
        aria-current={isCurrent ? "true" : undefined}
        aria-label={says}
        style={tone.sign === "zero" ? undefined : { background: toneBackground(tone) }}
      >
        {text}
      </Button>
      {breaks && <br />}
    </>
  );
});

function describeNumber(number: number | null, measure: Measure): string {
  const { name } = words.measures[measure];
  if (number === null) return `${name} ${words.absent}`;
  if (measure === "cut")
    return `${name}: ${words.cutAs[number > 0 ? "plus" : number < 0 ? "minus" : "zero"]}`;
  return `${name} ${measure === "ratio" ? formatNumber(Math.exp(number)) : formatSigned(number)}`;
}

// What the environment showed before a turn, in grey; for a long text the first part, and more on
// demand.

function Observation({ text }: { text: string }) {
  const [shown, setShown] = useState({ text, count: 1 });
  const count = shown.text === text ? shown.count : 1;
  const { parts, left } = stretchesOf(text, count);
  return (
    <>
      {parts.map((part, i) => (
        <pre className="tokens-environment" key={i}>
          {part}
        </pre>
      ))}
      {(left > 0 || count > 1) && (
        <p className="tokens-parts" data-testid="tokens-rest">
          {left > 0 && (
            <Button onClick={() => setShown({ text, count: count + 1 })}>
              {words.moreLetters(Math.min(left, MORE_LETTERS), left)}
            </Button>
          )}{" "}
          {count > 1 && (
            <Button onClick={() => setShown({ text, count: 1 })}>{words.fewerLetters}</Button>
          )}
        </p>
      )}
    </>
  );
}

// Everything the model read before a turn, collapsed: it is built only when opened.

const PromptText = lazyPart("PromptText", () => import("./PromptText.tsx"), words.promptOpening);

function TurnPrompt(props: PromptTextProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="tokens-prompt"
      data-testid="tokens-prompt"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{words.prompt(props.turn)}</summary>
      {open && <PromptText {...props} />}
    </details>
  );
}
