/** What the environment said before a turn. */
import { useState, type ReactNode } from "react";
import type { ChatTurn } from "../../figures/tokens/chat.ts";
import { words } from "../../figures/tokens/words.ts";
import { formatSignedBrief } from "../../numeric/format.ts";
import { MORE_LETTERS, stretchesOf } from "../../numeric/longText.ts";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import type { PromptTextProps } from "./PromptText.tsx";

/** What came of the turn before, and what is left. */
export function TurnStanding({ reward, movesLeft, turnsLeft }: ChatTurn) {
  const { moves, turns, both } = words.left;
  return (
    <p className="chat-standing">
      {reward !== null && (
        <span>
          {words.rewardBefore} <b>{formatSignedBrief(reward, 1)}</b>
        </span>
      )}{" "}
      <span>
        {movesLeft !== null && (
          <>
            <b>{movesLeft}</b> {moves}
            {both}
          </>
        )}
        {turnsLeft !== null && (
          <>
            <b>{turnsLeft}</b> {turns}
          </>
        )}
      </span>
    </p>
  );
}

/** In grey. */
export function Observation({ text }: { text: string }) {
  return (
    <LongText
      text={text}
      draw={(part, i) => (
        <pre className="tokens-environment" key={i}>
          {part}
        </pre>
      )}
    />
  );
}

interface LongTextProps {
  text: string;
  draw: (part: string, i: number) => ReactNode;
}

/** Of a long text the first part, and more on demand. */
export function LongText({ text, draw }: LongTextProps) {
  const [shown, setShown] = useState({ text, count: 1 });
  const count = shown.text === text ? shown.count : 1;
  const { parts, left } = stretchesOf(text, count);
  return (
    <>
      {parts.map(draw)}
      {(left > 0 || count > 1) && (
        <span className="tokens-parts" data-testid="tokens-rest">
          {left > 0 && (
            <Button onClick={() => setShown({ text, count: count + 1 })}>
              {words.moreLetters(Math.min(left, MORE_LETTERS), left)}
            </Button>
          )}{" "}
          {count > 1 && (
            <Button onClick={() => setShown({ text, count: 1 })}>{words.fewerLetters}</Button>
          )}
        </span>
      )}
    </>
  );
}

const PromptText = lazyPart("PromptText", () => import("./PromptText.tsx"), words.promptOpening);
const AskedCount = lazyPart("AskedCount", () => import("./AskedCount.tsx"), "", undefined, [
  "PromptText",
]);

/** Everything the model read before a turn, over the column: it is built only when opened. */
export function TurnPrompt(props: PromptTextProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="tokens-prompt"
      data-testid="tokens-prompt"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="chat-who" title={words.prompt(props.turn)}>
        <Icon name={open ? "chevron" : "next"} size={14} />
        <strong>{words.environment}</strong>{" "}
        <span>
          <AskedCount {...props} />
        </span>
      </summary>
      {open && (
        <div className="chat-prompt">
          <PromptText {...props} />
        </div>
      )}
    </details>
  );
}
