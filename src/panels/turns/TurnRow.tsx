/** One turn: what was seen, what was written, what it was worth. */
import { useEffect, useRef, type ReactNode } from "react";
import { formatNumber, formatSigned } from "../../charts/format.ts";
import { toneBackground, type SignedTone } from "../../charts/signedScale.ts";
import type { TurnRecord } from "../../record/runEvent.ts";
import { strings } from "../strings.ts";
import { BoardPicture } from "./BoardPicture.tsx";

interface TurnRowProps {
  turn: TurnRecord;
  number: number;
  tone: SignedTone;
  current: boolean;
  onChoose: () => void;
}

const { turns: words, numbers } = strings;

export function TurnRow({ turn, number, tone, current, onChoose }: TurnRowProps) {
  const row = useRef<HTMLLIElement>(null);
  // Moving with keys must not move the choice out of sight; nothing scrolls while the reader is elsewhere.
  useEffect(() => {
    const panel = row.current?.closest("[data-scope]");
    if (current && panel?.contains(document.activeElement))
      row.current?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <li
      ref={row}
      className="turn"
      aria-current={current ? "step" : undefined}
      data-testid="turn"
      onClick={onChoose}
    >
      <BoardPicture observation={turn.observation} />
      <div className="turn-body">
        <h4>Turn {number}</h4>
        <p className="turn-text" data-testid="turn-text">
          {turn.text.trim() === "" ? words.noText : turn.text}
        </p>
        <p className="turn-actions">
          {turn.actions.length === 0 ? "no action" : `actions: ${turn.actions.join(", ")}`}
          {turn.formatPenalty < 0 && `; format penalty ${formatSigned(turn.formatPenalty)}`}
        </p>
      </div>
      <dl className="turn-numbers">
        <Number kind="value">
          {turn.value === null ? words.noCritic : formatSigned(turn.value)}
        </Number>
        <Number kind="reward">{formatSigned(turn.reward)}</Number>
        <Number kind="advantage" background={toneBackground(tone)}>
          {formatSigned(turn.advantage)}
        </Number>
        <Number kind="return">
          {turn.return === null ? words.noCritic : formatSigned(turn.return)}
        </Number>
        <Number kind="ratio">
          {formatNumber(turn.ratio)}
          {turn.clipped && <span className="tag tag-clipped">{words.clipped}</span>}
        </Number>
      </dl>
    </li>
  );
}

interface NumberProps {
  kind: keyof typeof numbers;
  background?: string;
  children: ReactNode;
}

function Number({ kind, background, children }: NumberProps) {
  const { name, hint } = numbers[kind];
  return (
    <div title={hint}>
      <dt>{name}</dt>
      <dd
        className="number"
        data-testid={`turn-${kind}`}
        style={background ? { background } : undefined}
      >
        {children}
      </dd>
    </div>
  );
}
