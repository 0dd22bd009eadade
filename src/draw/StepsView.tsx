/** Small pictures in a row that can be chosen; the row is one stop for Tab. */
import { memo } from "react";
import type { ChartBlock, ChartMark, StepsBlock } from "../figures/figure.ts";
import { Button } from "../ui/Button.tsx";
import { useStrip } from "../ui/useStrip.ts";
import { linearScale } from "../charts/scale.ts";
import type { ChooseOption } from "./Choices.tsx";

export function StepsView({ block, choose }: { block: StepsBlock; choose: ChooseOption }) {
  const { id, title, hint, cards, current, choice, value, none } = block;
  const at = current !== null && current < cards.length ? current : 0;
  const go = (place: number) => choose(choice, value(place));
  const { ref, onKeyDown, item } = useStrip<HTMLDivElement>(at, cards.length, go);
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      <p className="chart-hint">{hint}</p>
      <div
        className="figure-strip"
        ref={ref}
        onKeyDown={onKeyDown}
        role="group"
        aria-label={title}
        data-testid={id}
      >
        {cards.map((card, i) => (
          <Button
            key={i}
            className="figure-card"
            aria-pressed={i === current}
            onClick={() => (i === current ? choose(choice, none) : go(i))}
            {...item(i)}
          >
            <Card {...card} />
          </Button>
        ))}
      </div>
    </section>
  );
}

const Card = memo(function Card({ name, lines, chart }: StepsBlock["cards"][number]) {
  return (
    <>
      <span>{name}</span>
      <Thumbnail {...chart} />
      {lines.map((line) => (
        <span key={line} className="note number">
          {line}
        </span>
      ))}
    </>
  );
});

const WIDTH = 120;
const HEIGHT = 36;

/** Bars and edges as a few paths: there are up to 64, and Observable Plot takes a dozen milliseconds for each. */
function Thumbnail({ x, y, marks }: ChartBlock) {
  const across = linearScale(x.domain, [0, WIDTH]);
  const up = linearScale(y.domain, [HEIGHT, 0]);
  const pathOf = (bars: Bars, beyond: boolean) =>
    bars
      .filter((bar) => bar.y > 0 && bar.beyond === beyond)
      .map(({ from, to, y }) => `M${at(from)},${HEIGHT}V${round(up.at(y))}H${at(to)}V${HEIGHT}z`)
      .join("");
  const at = (value: number) => round(across.at(value));
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
      {marks.map((mark, i) =>
        mark.as === "bars" ? (
          <g key={i}>
            <path d={pathOf(mark.bars, false)} className="mark-bar" />
            <path d={pathOf(mark.bars, true)} className="mark-beyond" />
          </g>
        ) : mark.as === "edge" && !mark.dotted ? (
          <path key={i} d={`M${at(mark.x)},0V${HEIGHT}`} className="mark-edge" />
        ) : null,
      )}
    </svg>
  );
}

type Bars = Extract<ChartMark, { as: "bars" }>["bars"];

const round = (value: number) => Math.round(value * 10) / 10;
