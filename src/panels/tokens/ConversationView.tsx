/** The part of the conversation around the cursor: one tab stop, a chip for each token. */
import { memo, type SyntheticEvent, useState } from "react";
import { formatNumber, formatSigned } from "../../numeric/format.ts";
import { toneBackground } from "../../charts/signedScale.ts";
import { useStrip } from "../../ui/useStrip.ts";
import { describePart } from "./describe.ts";
import { pageAt, type TokenPage } from "./pages.ts";
import { measured, type ShownToken } from "./tokens.ts";
import type { GoToken } from "./goToken.ts";
import type { Colouring, Conversation, TokenStanding } from "./tokensView.ts";
import { words } from "./words.ts";
import { MORE_LETTERS, stretchesOf } from "../../ui/longText.ts";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import type { PromptTextProps } from "./PromptText.tsx";
import { Button } from "../../ui/Button.tsx";

/** Pixels that stay visible below the token at the cursor. */
const LINES_BELOW = 70;

interface ConversationProps {
  conversation: Conversation;
  standing: TokenStanding;
  colouring: Colouring;
  go: GoToken;
}

export function ConversationView(props: ConversationProps) {
  const { conversation, standing, go } = props;
  const { tokens, pages } = conversation;
  const choose = (flat: number) => {
    const token = tokens[flat];
    if (token) go(token.turn, token.token);
  };
  const { ref, onKeyDown } = useStrip<HTMLDivElement>(standing.flat, tokens.length, choose);
  const isAt = (flat: number) => flat === standing.flat && standing.token !== null;
  // One pair of handlers for hundreds of chips.
  const onChip = ({ target }: SyntheticEvent) => {
    const place = target instanceof HTMLElement ? target.dataset["strip"] : undefined;
    if (place !== undefined && !isAt(Number(place))) choose(Number(place));
  };
  const page = pageAt(pages, standing.turn, standing.token ?? 0);
  return (
    <div className="tokens-main">
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
          {pages[page] && <Turns {...props} page={pages[page]} />}
        </div>
      </div>
    </div>
  );
}

interface PartsProps {
  pages: TokenPage[];
  page: number;
  go: GoToken;
}

function Parts({ pages, page, go }: PartsProps) {
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

function Turns({ page, ...props }: ConversationProps & { page: TokenPage }) {
  const { fromTurn, toTurn } = page;
  return Array.from({ length: toTurn - fromTurn }, (_, i) => (
    <Turn key={fromTurn + i} {...props} turn={fromTurn + i} part={page.tokens} />
  ));
}

interface TurnProps extends ConversationProps {
  turn: number;
  part: TokenPage["tokens"];
}

function Turn({ conversation, standing, colouring, turn, part }: TurnProps) {
  const { episode, start, tokens, spec } = conversation;
  const { observation, text } = episode.turns[turn]!;
  const [first, last] = [start[turn]!, start[turn + 1]!];
  const [from, to] = part ? [first + part.from, first + part.to] : [first, last];
  return (
    <section className="tokens-turn" aria-label={words.turn(turn)}>
      <h4>
        {words.turn(turn)} <span className="note">{words.environment}</span>
      </h4>
      <Observation text={observation} />
      <TurnPrompt spec={spec} episode={episode} turn={turn} />
      <p className="tokens-chips">
        <span className="note">{words.model}</span>{" "}
        {first === last && (
          <span className="tokens-plain">
            {text} <span className="note">({words.noTurnTokens})</span>
          </span>
        )}
        {tokens.slice(from, to).map((token, i) => (
          <Chip
            key={from + i}
            flat={from + i}
            token={token}
            colouring={colouring}
            stop={from + i === standing.flat}
            current={from + i === standing.flat && standing.token !== null}
          />
        ))}
      </p>
    </section>
  );
}

interface ChipProps {
  flat: number;
  token: ShownToken;
  colouring: Colouring;
  /** Whether it is the strip's tab stop. */
  stop: boolean;
  current: boolean;
}

const Chip = memo(function Chip({ flat, token, colouring, stop, current }: ChipProps) {
  const number = measured(token, colouring.measure);
  const tone = colouring.scale(number ?? NaN);
  return (
    <>
      <Button
        className={`token-chip token-${tone.sign}`}
        tabIndex={stop ? 0 : -1}
        data-strip={flat}
        aria-current={current ? "true" : undefined}
        aria-label={`${token.text}, ${describeNumber(number, colouring)}`}
        style={tone.sign === "zero" ? undefined : { background: toneBackground(tone) }}
      >
        {token.text}
      </Button>
      {token.breaks && <br />}
    </>
  );
});

function describeNumber(number: number | null, { measure }: Colouring): string {
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
