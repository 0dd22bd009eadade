/** One turn: observation, response, and credit. */
import { useEffect, useRef, type ReactNode } from "react";
import { formatNumber, formatSigned } from "../../numeric/format.ts";
import { toneBackground, type SignedTone } from "../../charts/signedScale.ts";
import type { TurnRecord } from "../../record/runEvent.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import { panelWords } from "../shared/strings.ts";
import { stretchesOf } from "../../ui/longText.ts";
import { inFull } from "../../ui/tablesIn.ts";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import { targetText, valueText } from "./criticNumber.ts";

interface TurnRowProps {
  turn: TurnRecord;
  number: number;
  tone: SignedTone;
  current: boolean;
  /** Of an episode that was not trained on. */
  forked: boolean;
  /** Whether the method that played has a critic. */
  hasCritic: boolean;
  onChoose: () => void;
}

const { turns: words, numbers } = panelWords;

export function TurnRow(props: TurnRowProps) {
  const { turn, number, tone, current, forked, hasCritic, onChoose } = props;
  const row = useRef<HTMLLIElement>(null);
  // Moving with keys must keep the selection in view; nothing scrolls while the reader is
  // elsewhere.
  useEffect(() => {
    const panel = row.current?.closest("[data-scope]");
    if (current && panel?.contains(document.activeElement))
      row.current?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <li ref={row} className="turn" aria-current={current ? "step" : undefined} data-testid="turn">
      {/* presentation: keys and the buttons of the cursor choose a turn, too. */}
      <div role="presentation" className="listens" onClick={onChoose}>
        <BoardPicture observation={turn.observation} />
        <div className="turn-body">
          <h4>Turn {number}</h4>
          <p className="turn-text" data-testid="turn-text">
            {turn.text.trim() === "" ? words.noText : beginningOf(turn.text)}
          </p>
          <p className="turn-actions">
            {actionsOf(turn.actions)}
            {turn.formatPenalty < 0 && `; format penalty ${formatSigned(turn.formatPenalty)}`}
          </p>
        </div>
        <TurnNumbers turn={turn} tone={tone} forked={forked} hasCritic={hasCritic} />
      </div>
    </li>
  );
}

/** A text of a megabyte takes a second to lay out; the token panel shows all of it, in parts. */
function beginningOf(text: string): string {
  const { parts, left } = stretchesOf(text, 1);
  return left === 0 ? text : `${parts.join("")} ${words.moreText(left)}`;
}

/** Null if a file of another program does not have them. */
function actionsOf(actions: readonly string[] | null): string {
  if (actions === null) return `actions: ${words.notInFile}`;
  return actions.length === 0 ? "no action" : `actions: ${actions.join(", ")}`;
}

const selectImported = (state: ExperimentState) => state.view.origin === "imported";

type TurnNumbersProps = Pick<TurnRowProps, "turn" | "tone" | "forked" | "hasCritic">;

function TurnNumbers({ turn, tone, forked, hasCritic }: TurnNumbersProps) {
  const { value, reward, advantage, ratio, clipped } = turn;
  const imported = useExperimentState(selectImported);
  // In one of our runs a number that is not finite is a crash; in another program's file or a fork
  // it is just missing.
  const absent = forked ? words.notInFork : imported ? words.notInFile : null;
  const written = (number: number, format = formatSigned) =>
    absent !== null && !isFinite(number) ? absent : format(number);
  const source = { absent: value === null && forked ? words.noCritic : absent, hasCritic };
  return (
    <dl className="turn-numbers">
      <Number kind="value" value={value}>
        {valueText(turn, source)}
      </Number>
      <Number kind="reward" value={reward}>
        {written(reward)}
      </Number>
      <Number kind="advantage" value={advantage} background={toneBackground(tone)}>
        {written(advantage)}
      </Number>
      <Number kind="return">{targetText(turn, { absent, hasCritic })}</Number>
      <Number kind="ratio">
        {written(ratio, formatNumber)}
        {clipped && <span className="tag tag-clipped">{words.clipped}</span>}
        {clipped === null && isFinite(ratio) && `, ${words.clipNotInFile}`}
      </Number>
    </dl>
  );
}

/** Null if a log has no number at all, whatever the type says. */
function isFinite(value: number | null): boolean {
  return value !== null && globalThis.Number.isFinite(value);
}

interface NumberProps {
  kind: keyof typeof numbers;
  /** The exact number, if there is one. */
  value?: number | null;
  background?: string;
  children: ReactNode;
}

function Number({ kind, value = null, background, children }: NumberProps) {
  const { name, hint } = numbers[kind];
  return (
    <div title={hint}>
      <dt>{name}</dt>
      <dd
        className="number"
        data-value={inFull(value)}
        data-testid={`turn-${kind}`}
        style={background ? { background } : undefined}
      >
        {children}
      </dd>
    </div>
  );
}
