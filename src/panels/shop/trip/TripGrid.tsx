/** Turns of a trip as columns: their pages, each method's credit, and the true one after a guess. */
import type { CSSProperties, ReactNode } from "react";
import { LineSwatch } from "../../../charts/LineSwatch.tsx";
import { MarkerShape } from "../../../charts/MarkerShape.tsx";
import { lineStyles } from "../../../charts/palette.ts";
import { signClass } from "../../../charts/signedScale.ts";
import type { Shop } from "../../../env/webshop/pageNodes.ts";
import { signOf } from "../../../figures/credits/truth.ts";
import { spreadInWords } from "../../../figures/spread.ts";
import { formatSignedFixed } from "../../../numeric/format.ts";
import { OPENING_METHODS } from "../../../reading/openingMethods.ts";
import type { Frame } from "../../../reading/shop/replay.ts";
import type { TripCredit } from "../../../reading/shop/tripCredit.ts";
import { titleOf } from "../../../reading/titles.ts";
import type { EpisodeTruth } from "../../../reading/truths.ts";
import { Button } from "../../../ui/Button.tsx";
import { Icon } from "../../../ui/Icon.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { SignedBars } from "../../shared/SignedBars.tsx";
import { deedOf, endOf, sharesOf } from "./facts.ts";
import { Thumb } from "./Thumb.tsx";
import { words } from "./words.ts";

interface TripGridProps {
  credit: TripCredit;
  frames: readonly Frame[];
  shop: Shop;
  /** The turn at the cursor, from 0; the end after the last; null before anything was chosen. */
  here: number | null;
  isSeen: boolean;
  plays: boolean;
  /** A turn was chosen: a guess, or where to go. */
  onTurn: (turn: number) => void;
  onPlay: () => void;
  /** The page at the cursor at full size. */
  onOpen: () => void;
}

export function TripGrid(props: TripGridProps) {
  const { credit, frames, here } = props;
  const { turns } = credit.record;
  const { truth } = credit;
  const among = credit.credits.flatMap(({ values }) => values);
  return (
    <div
      className="trip-grid"
      role="table"
      aria-label={words.table}
      style={{ "--turns": turns.length } as CSSProperties}
    >
      {here !== null && (
        <span
          className="trip-here"
          aria-hidden="true"
          style={{ "--here": here + 1 } as CSSProperties}
        />
      )}
      <div role="row" className="trip-row trip-heads">
        <span role="columnheader">{words.oneScale}</span>
        {turns.map((_, h) => (
          <Head key={h} h={h} here={here} onOpen={props.onOpen} />
        ))}
        <span role="columnheader">{words.end}</span>
      </div>
      <Pages {...props} />
      {OPENING_METHODS.map((name) => {
        const own = credit.credits.find((one) => one.name === name);
        return (
          <MethodRow key={name} {...{ name, among }} count={turns.length} values={own?.values} />
        );
      })}
      <TruthRow {...props} />
      <Row
        name="shares"
        side={<small>{words.share}</small>}
        end={truth && props.isSeen ? <Share value={sharesOf(truth).at(-1)!} /> : null}
        cells={turns.map((_, h) =>
          truth && props.isSeen ? <Share key={h} value={sharesOf(truth)[h]!} /> : null,
        )}
      />
      <p className="trip-at" aria-hidden="true">
        {words.turn((here ?? 0) + 1)}: <Wrote {...props} frame={frames[here ?? 0]!} />
      </p>
    </div>
  );
}

function Head({ h, here, onOpen }: Pick<TripGridProps, "here" | "onOpen"> & { h: number }) {
  return (
    <span role="columnheader" aria-current={here === h ? "true" : undefined}>
      {words.turn(h + 1)}
      {here === h && (
        <IconButton
          icon="expand"
          size={12}
          name={words.full}
          onClick={onOpen}
          data-testid="trip-open"
        />
      )}
    </span>
  );
}

interface RowProps {
  name: string;
  side: ReactNode;
  cells: ReactNode[];
  end: ReactNode;
}

function Row({ name, side, cells, end }: RowProps) {
  return (
    <div role="row" className="trip-row" data-row={name}>
      <div role="rowheader" className="trip-side">
        {side}
      </div>
      {cells.map((cell, h) => (
        <div key={h} role="cell" className="trip-cell">
          {cell}
        </div>
      ))}
      <div role="cell" className="trip-end">
        {end}
      </div>
    </div>
  );
}

function Pages(props: TripGridProps) {
  const { frames, shop, here, plays, onTurn, onPlay } = props;
  const side = (
    <>
      <strong>{words.pages}</strong>
      <small>{words.pagesHint}</small>
      <small className="trip-clicked">{words.clicked}</small>
      <Button onClick={onPlay} data-testid="trip-play">
        <Icon name={plays ? "pause" : "play"} size={14} />
        {plays ? words.pause : words.play}
      </Button>
    </>
  );
  const cells = frames.slice(0, -1).map((frame, h) => (
    <Button
      key={h}
      className="trip-page"
      aria-label={`${words.turn(h + 1)}: ${frame.text ?? ""}, ${deedOf(frame).did}`}
      aria-pressed={here === h}
      title={words.wrote(props.credit.record.turns[h]!.text)}
      onClick={() => onTurn(h)}
      data-testid="trip-turn"
    >
      <Thumb frame={frame} shop={shop} />
      <Wrote {...props} frame={frame} />
    </Button>
  ));
  return <Row name="pages" side={side} cells={cells} end={<End {...props} />} />;
}

/** What was written on a page, and what it did. */
function Wrote({ frame, ...props }: TripGridProps & { frame: Frame }) {
  if (frame.text === null) return <EndWords {...props} />;
  const isEmpty = !frame.valid || frame.element === null;
  return (
    <>
      <code data-empty={isEmpty ? "" : undefined}>{frame.text}</code>
      <small>{deedOf(frame).did}</small>
    </>
  );
}

function End(props: TripGridProps) {
  const { frames, shop } = props;
  const { bought, isRight } = endOf(frames.at(-1)!, shop);
  return (
    <span className="trip-page trip-last">
      <span className="thumb thumb-end" data-dim={bought === null ? "" : undefined}>
        <i data-right={isRight ? "" : undefined}>
          <Icon name={isRight ? "check" : "close"} />
        </i>
        <strong>{bought === null ? words.none : words.bought}</strong>
        <small>{bought}</small>
      </span>
      <EndWords {...props} />
    </span>
  );
}

function EndWords({ frames, shop }: TripGridProps) {
  const { says, isRight, reward } = endOf(frames.at(-1)!, shop);
  return (
    <>
      <strong data-right={isRight ? "" : undefined}>{says}</strong>
      <small>{words.reward(reward.toFixed(2))}</small>
    </>
  );
}

interface MethodRowProps {
  name: string;
  values: readonly number[] | undefined;
  /** All credits: one scale. */
  among: readonly number[];
  count: number;
}

function MethodRow({ name, values, among, count }: MethodRowProps) {
  const style = lineStyles([...OPENING_METHODS]).get(name)!;
  const side = (
    <>
      <span className="trip-method">
        <LineSwatch {...style} />
        {titleOf(name)}
      </span>
      <small>{words.methods[name]}</small>
    </>
  );
  const cells = Array.from({ length: count }, (_, h) =>
    values ? <Credit key={h} value={values[h]!} among={among} /> : "–",
  );
  return (
    <Row name={name} {...{ side, cells }} end={values ? spreadInWords(values) : words.noCredit} />
  );
}

interface CreditProps {
  value: number;
  among: readonly number[];
  /** Half of its interval. */
  half?: number;
  /** Whether its interval includes 0. */
  isOpen?: boolean;
}

function Credit({ value, among, half, isOpen = false }: CreditProps) {
  const isZero = Math.abs(value) < 0.005;
  const sign = isOpen || isZero ? "open" : signClass(value);
  return (
    <span className="trip-credit" data-open={isOpen ? "" : undefined}>
      <SignedBars values={[value]} among={among} />
      <span className={`trip-number ${sign ?? ""}`}>
        {isZero ? "0.00" : formatSignedFixed(value, 2)}
        {half !== undefined && <small> ±{half.toFixed(2)}</small>}
      </span>
    </span>
  );
}

function TruthRow({ credit: { truth, record }, isSeen, onTurn }: TripGridProps) {
  const side = (
    <>
      <span className="trip-method">
        <svg width="28" height="12" aria-hidden="true">
          <MarkerShape marker="diamond" cx={14} cy={6} colour="var(--ink)" />
        </svg>
        {words.truth}
      </span>
      <small>
        {truth
          ? isSeen
            ? words.branches(truth.found?.branches ?? 0)
            : words.guessFirst
          : words.unknown}
      </small>
    </>
  );
  const cells =
    truth && isSeen
      ? truthCells(truth)
      : record.turns.map((_, h) =>
          truth ? (
            <Button
              key={h}
              className="guess-cover"
              aria-label={words.guess(h + 1)}
              onClick={() => onTurn(h)}
            >
              ?
            </Button>
          ) : (
            "–"
          ),
        );
  const end = !truth
    ? null
    : isSeen
      ? words.ownScale(spreadInWords(truth.turns.map(({ advantage }) => advantage)))
      : words.hidden;
  return <Row name="truth" {...{ side, cells, end }} />;
}

function truthCells({ turns }: EpisodeTruth): ReactNode[] {
  const among = turns.map(({ advantage }) => advantage);
  return turns.map(({ advantage, advantageInterval: [low, high] }, h) => (
    <Credit
      key={h}
      value={advantage}
      among={among}
      half={(high - low) / 2}
      isOpen={signOf([low, high]) === 0}
    />
  ));
}

const Share = ({ value }: { value: number | null }) => (
  <b className="trip-share">{value === null ? "–" : `${Math.round(100 * value)} %`}</b>
);
