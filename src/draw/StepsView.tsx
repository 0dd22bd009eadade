/** Small pictures in a row that can be chosen; the row is one stop for Tab. */
import { memo } from "react";
import { linearScale } from "../numeric/scale.ts";
import type { Act } from "../figures/choices.ts";
import type { ChartBlock, ChartMark, Dot, StepCard, StepsBlock } from "../figures/figure.ts";
import { around } from "../numeric/lists.ts";
import { Button } from "../ui/Button.tsx";
import { useStrip } from "../ui/useStrip.ts";
import { MOST_SHOWN, PartNote } from "./PartNote.tsx";

export function StepsView({ block, does }: { block: StepsBlock; does: (act: Act) => void }) {
  const { id, label, count, current, card, act, small = false } = block;
  const at = current !== null && current < count ? current : 0;
  const { ref, onKeyDown, item } = useStrip<HTMLDivElement>(at, count, (i) => does(act(i)));
  const { from, to } = around(at, count, MOST_SHOWN);
  const choose = (place: number) => {
    const wanted = act(place);
    const undo = place === current && "undo" in wanted ? wanted.undo : undefined;
    does(undo ? { choose: undo } : wanted);
  };
  return (
    <>
      <div
        className={small ? "figure-strip figure-strip-small" : "figure-strip"}
        ref={ref}
        onKeyDown={onKeyDown}
        role="group"
        aria-label={label}
        data-testid={id}
      >
        {Array.from({ length: to - from }, (_, i) => from + i).map((place) => (
          <Button
            key={place}
            className="figure-card"
            {...stateOf(act(place), place === current)}
            {...saysOf(card(place))}
            onClick={() => choose(place)}
            {...item(place)}
          >
            <Card {...card(place)} small={small} />
          </Button>
        ))}
      </div>
      <PartNote shown={to - from} of={count} />
    </>
  );
}

/** A card that moves the cursor is where it is; one that makes a choice is pressed. */
const stateOf = (act: Act, isCurrent: boolean) =>
  "to" in act
    ? { "aria-current": isCurrent ? ("true" as const) : undefined }
    : { "aria-pressed": isCurrent };

const saysOf = ({ says }: StepCard) =>
  says === undefined ? {} : { "aria-label": says, title: says };

const Card = memo(function Card({ name, lines, chart, small }: StepCard & { small: boolean }) {
  const picture = <Thumbnail chart={chart} {...(small ? SMALL : LARGE)} />;
  return (
    <>
      {small && picture}
      <span>{name}</span>
      {!small && picture}
      {lines.map((line) => (
        <span key={line} className="note number">
          {line}
        </span>
      ))}
    </>
  );
});

const LARGE = { width: 120, height: 36 };
const SMALL = { width: 56, height: 44 };
/** Room around dots. */
const PAD = 6;

type ThumbnailProps = { chart: ChartBlock } & typeof LARGE;

/** Marks as a few paths: there are up to 64 pictures, and Observable Plot takes a dozen milliseconds for each. */
function Thumbnail({ chart: { x, y, marks }, width, height }: ThumbnailProps) {
  const pad = marks.some(({ as }) => as === "dots") ? PAD : 0;
  const across = linearScale(x.domain, [pad, width - pad]);
  const up = linearScale(y.domain, [height - pad, pad]);
  const at = (value: number) => round(across.at(value));
  const pathOf = (bars: Bars, beyond: boolean) =>
    bars
      .filter((bar) => bar.y > 0 && bar.beyond === beyond)
      .map(({ from, to, y }) => `M${at(from)},${height}V${round(up.at(y))}H${at(to)}V${height}z`)
      .join("");
  const draw = (mark: ChartMark) => {
    switch (mark.as) {
      case "bars":
        return (
          <>
            <path d={pathOf(mark.bars, false)} className="mark-bar" />
            <path d={pathOf(mark.bars, true)} className="mark-beyond" />
          </>
        );
      case "edge":
        return mark.dotted ? null : <path d={`M${at(mark.x)},0V${height}`} className="mark-edge" />;
      case "level":
        return <path d={`M0,${round(up.at(mark.y))}H${width}`} className="mark-level" />;
      case "dots":
        return <Dots {...mark} at={at} up={up.at} />;
      default:
        return null;
    }
  };
  return (
    <svg width={width} height={height} aria-hidden="true">
      {marks.map((mark, i) => (
        <g key={i}>{draw(mark)}</g>
      ))}
    </svg>
  );
}

interface DotsProps {
  dots: readonly Dot[];
  at: (x: number) => number;
  up: (y: number) => number;
}

/** As large as there is room for. */
function Dots({ dots, at, up }: DotsProps) {
  const step = at(1) - at(0);
  const r = Math.max(1.5, Math.min(3, step / 2));
  return dots.map(({ x, y, look }) => (
    <circle key={x} cx={at(x)} cy={round(up(y))} r={r} className={`mark-dot-${look ?? "open"}`} />
  ));
}

type Bars = Extract<ChartMark, { as: "bars" }>["bars"];

const round = (value: number) => Math.round(value * 10) / 10;
