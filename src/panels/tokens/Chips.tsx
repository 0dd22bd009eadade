/** Tokens as buttons: a tone by the chosen number, and its sign without colour. */
import { memo, useMemo } from "react";
import { signedScale, toneBackground, type SignedTone } from "../../charts/signedScale.ts";
import type { ChatTurn } from "../../figures/tokens/chat.ts";
import type { TokenStanding } from "../../figures/tokens/conversation.ts";
import { nameOfMeasure } from "../../figures/tokens/describe.ts";
import { measured, type ShownToken } from "../../figures/tokens/shownTokens.ts";
import type { ConversationShown } from "../../figures/tokens/tokens.ts";
import { words, type Measure } from "../../figures/tokens/words.ts";
import { formatNumber, formatSigned } from "../../numeric/format.ts";
import { Button } from "../../ui/Button.tsx";

/** Whether the cursor is at this token, not only in its turn. */
export const isAt = ({ flat, token }: TokenStanding, place: number) =>
  place === flat && token !== null;

interface ChipsProps extends ConversationShown {
  /** Of the turn, as far as they are drawn. */
  tokens: readonly ShownToken[];
  part: "thought" | "answer";
  said: ChatTurn;
  /** Then the answer goes without its tags. */
  isFolded: boolean;
}

export function Chips({
  tokens,
  part,
  said,
  isFolded,
  colouring,
  standing,
  conversation,
}: ChipsProps) {
  const scale = useMemo(() => signedScale(colouring.among), [colouring]);
  const { roles } = said;
  const name = nameOfMeasure(colouring.measure, conversation);
  // The tag that ends a thought is the last of its part.
  const end = roles.lastIndexOf("thought") + 1;
  const thought = said.thought === null ? 0 : roles[end] === "tag" ? end + 1 : end;
  const shown = tokens.filter(({ token }) => {
    if (isFolded && roles[token] !== "answer") return false;
    return token < thought === (part === "thought");
  });
  return shown.map((token) => {
    const flat = conversation.start[token.turn]! + token.token;
    const number = measured(token, colouring.measure);
    return (
      <Chip
        key={flat}
        flat={flat}
        text={token.text}
        breaks={token.breaks}
        isTag={roles[token.token] === "tag"}
        says={`${token.text}, ${describeNumber(number, colouring.measure, name)}`}
        {...scale(number ?? NaN)}
        isStop={flat === standing.flat}
        isCurrent={isAt(standing, flat)}
      />
    );
  });
}

interface ChipProps extends SignedTone {
  flat: number;
  text: string;
  breaks: boolean;
  isTag: boolean;
  says: string;
  /** Whether it is the strip's tab stop. */
  isStop: boolean;
  isCurrent: boolean;
}

const Chip = memo(function Chip({
  flat,
  text,
  breaks,
  isTag,
  says,
  isStop,
  isCurrent,
  ...tone
}: ChipProps) {
  // A space before a word is a gap between words; the numbers have it as a sign.
  const [, gap, word] = /^(·?)(.*)$/s.exec(text)!;
  return (
    <>
      {word && gap && " "}
      <Button
        className={`token-chip token-${tone.sign}${isTag ? " token-tag" : ""}`}
        tabIndex={isStop ? 0 : -1}
        data-strip={flat}
        aria-current={isCurrent ? "true" : undefined}
        aria-label={says}
        style={tone.sign === "zero" ? undefined : { background: toneBackground(tone) }}
      >
        {word || (gap && " ")}
      </Button>
      {breaks && <br />}
    </>
  );
});

function describeNumber(number: number | null, measure: Measure, name: string): string {
  if (number === null) return `${name} ${words.absent}`;
  if (measure === "cut")
    return `${name}: ${words.cutAs[number > 0 ? "plus" : number < 0 ? "minus" : "zero"]}`;
  return `${name} ${measure === "ratio" ? formatNumber(Math.exp(number)) : formatSigned(number)}`;
}
