/** The conversation around the cursor: a column for each turn, with a bubble of the environment and one of the model, whose tokens are one tab stop. */
import { memo, useMemo, type CSSProperties, type MouseEvent, type SyntheticEvent } from "react";
import type { GivenPart } from "../../draw/FigureView.tsx";
import { pictureOf } from "../../env/descriptors.ts";
import type { ChatTurn } from "../../figures/tokens/chat.ts";
import { describePart } from "../../figures/tokens/describe.ts";
import { pageAt, type TokenPage } from "../../figures/tokens/pages.ts";
import type { ConversationShown } from "../../figures/tokens/tokens.ts";
import { words } from "../../figures/tokens/words.ts";
import { FIRST_LETTERS } from "../../numeric/longText.ts";
import { useStrip } from "../../ui/useStrip.ts";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import type { Crop } from "../shared/crop.ts";
import { episodeCrop } from "../shared/episodeCrop.ts";
import { MovedBoard } from "../shared/MovedBoard.tsx";
import { Chips, isAt } from "./Chips.tsx";
import { LongText, Observation, TurnPrompt, TurnStanding } from "./EnvironmentBubble.tsx";
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
  // One pair of handlers for hundreds of tokens.
  const onChip = ({ target }: SyntheticEvent) => {
    const place = target instanceof HTMLElement ? target.dataset["strip"] : undefined;
    if (place !== undefined && !isAt(standing, Number(place))) choose(Number(place));
  };
  // A click beside a token goes to its turn.
  const onClick = (event: MouseEvent<HTMLElement>) => {
    onChip(event);
    const hit = event.target as Element;
    if (hit.closest("button, .tokens-prompt")) return;
    const column = hit.closest<HTMLElement>("[data-turn]");
    if (column && !column.dataset["here"]) go(Number(column.dataset["turn"]), null);
  };
  const pageNumber = pageAt(pages, standing.turn, standing.token ?? 0);
  const page = pages[pageNumber];
  return (
    <>
      <Parts pages={pages} page={pageNumber} go={go} />
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
        <Chat {...{ given, does, page, go, onClick }} />
      </div>
    </>
  );
}

interface ChatProps extends GivenPart<ConversationShown> {
  page: TokenPage | undefined;
  go: GoToken;
  onClick: (event: MouseEvent<HTMLElement>) => void;
}

/** A column for each turn of the page, between their heads and the end. */
function Chat({ given, does, page, go, onClick }: ChatProps) {
  const { conversation, standing } = given;
  const { episode, chat } = conversation;
  const crop = useMemo(() => episodeCrop(episode), [episode]);
  const turns = page ? [...episode.turns.keys()].slice(page.fromTurn, page.toTurn) : [];
  const isHere = (h: number) => (h === standing.turn ? "step" : undefined);
  const least = turns.length > 5 ? "13.75rem" : "9rem";
  return (
    // presentation: its tokens are buttons; one handler serves them all.
    <div
      role="presentation"
      className="chat"
      onClick={onClick}
      style={{ "--turns": turns.length, "--least": least } as CSSProperties}
    >
      <div className="chat-heads">
        <span className="chat-label" />
        {turns.map((h) => (
          <Button key={h} aria-current={isHere(h)} onClick={() => go(h, null)}>
            {words.turn(h)}
            <Board observation={episode.turns[h]!.observation} {...{ crop }} actions={null} />
          </Button>
        ))}
        <span className="chat-end-head">{words.end}</span>
      </div>
      <div className="chat-label">
        {words.chat}
        <FoldAll all={given.all} does={does} />
      </div>
      {turns.map((h) => (
        <Column key={h} turn={h} page={page!} {...{ given, does, crop }} said={chat[h]!} />
      ))}
      <div className="chat-end" data-solved={episode.success === true}>
        <Board observation={episode.finalObservation} {...{ crop }} actions={null} />
        <strong>{given.end.how}</strong>
        <span className="note">{given.end.total}</span>
      </div>
    </div>
  );
}

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

function FoldAll({ all, does }: Pick<ConversationShown, "all"> & FoldProps) {
  if (!all) return null;
  const { fold, open } = words.allThoughts;
  return (
    <>
      <span className="note">
        <kbd>b</kbd> {words.foldHint}
      </span>
      <Button look="quiet" data-action="foldThoughts" onClick={() => does(all.by)}>
        <kbd>B</kbd> {all.isOpen ? fold : open}
      </Button>
    </>
  );
}

type FoldProps = Pick<GivenPart<ConversationShown>, "does">;

interface BoardProps {
  observation: string;
  actions: readonly string[] | null;
  /** Of a Sokoban board. */
  crop: Crop | null;
}

/** Nothing for an observation that is no picture. */
const Board = memo(function Board({ observation, actions, crop }: BoardProps) {
  const picture = pictureOf(observation);
  if (!picture) return null;
  return (
    <span className="chat-board">
      {crop ? (
        <MovedBoard {...{ observation, picture, actions, crop }} />
      ) : (
        <BoardPicture observation={observation} />
      )}
    </span>
  );
});

interface ColumnProps extends GivenPart<ConversationShown> {
  turn: number;
  page: TokenPage;
  said: ChatTurn;
  crop: Crop | null;
}

function Column({ turn, page, given, does, said, crop }: ColumnProps) {
  const { conversation, standing, folds } = given;
  const { episode, start, tokens, spec } = conversation;
  const { observation, actions, text } = episode.turns[turn]!;
  const first = start[turn]!;
  const count = start[turn + 1]! - first;
  const { from, to } = page.tokens ?? { from: 0, to: count };
  const isHere = turn === standing.turn;
  const isOpen = folds.isOpen(turn);
  const isFolded = said.thought !== null && !isOpen;
  const chips = (part: "thought" | "answer") => (
    <Chips
      {...given}
      tokens={tokens.slice(first + from, first + to)}
      {...{ part, said, isFolded }}
    />
  );
  return (
    <section
      className="chat-turn"
      aria-label={words.turn(turn)}
      data-turn={turn}
      data-here={isHere || undefined}
      data-open={!isFolded}
      data-thinks={said.thought !== null}
    >
      <div className="bubble bubble-environment">
        <TurnPrompt spec={spec} episode={episode} turn={turn} />
        <div className="chat-seen">
          <Board {...{ observation, actions, crop }} />
          {!pictureOf(observation) && <Observation text={observation} />}
          <TurnStanding {...said} />
        </div>
      </div>
      <div className="bubble bubble-model">
        <Who
          name={words.model}
          count={count === 0 ? words.noTurnTokens : words.trained(count)}
          fold={said.thought === null ? null : { isOpen, act: () => does(folds.fold(turn)) }}
          isHere={isHere}
        />
        {isFolded && <p className="chat-thought-line">{firstOf(said.thought)}</p>}
        {!isFolded && said.thought !== null && (
          <p className="chat-thought">
            {count === 0 ? <Plain text={said.thought} /> : chips("thought")}
          </p>
        )}
        <div className="chat-says">
          <p className="chat-answer">{count === 0 ? <Plain text={text} /> : chips("answer")}</p>
          {said.marks.map(({ isGood, text }) => (
            <p key={text} className={isGood ? "chat-mark" : "chat-mark chat-mark-bad"}>
              <Icon name={isGood ? "check" : "close"} size={12} /> {text}
            </p>
          ))}
        </div>
      </div>
    </section>
  );
}

const firstOf = (thought: string | null) => thought?.slice(0, FIRST_LETTERS) || words.noThought;

/** What the model said, where its tokens are unknown. */
function Plain({ text }: { text: string }) {
  return (
    <LongText
      text={text}
      draw={(part, i) => (
        <span className="tokens-plain" key={i}>
          {part}
        </span>
      )}
    />
  );
}

interface WhoProps {
  name: string;
  count: string;
  fold: { isOpen: boolean; act: () => void } | null;
  isHere: boolean;
}

/** The first line of the model's bubble, which folds its thought. */
function Who({ name, count, fold, isHere }: WhoProps) {
  const line = (
    <>
      <strong>{name}</strong> <span>{count}</span>
    </>
  );
  if (!fold) return <p className="chat-who">{line}</p>;
  return (
    <Button
      look="quiet"
      className="chat-who"
      aria-expanded={fold.isOpen}
      data-action={isHere ? "foldThought" : undefined}
      onClick={fold.act}
    >
      <Icon name={fold.isOpen ? "chevron" : "next"} size={14} />
      {line}
    </Button>
  );
}
