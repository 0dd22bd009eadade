/** Small pictures in a row that can be chosen; the row is one stop for Tab. */
import { memo } from "react";
import type { StepsBlock } from "../figures/figure.ts";
import { Button } from "../ui/Button.tsx";
import { useStrip } from "../ui/useStrip.ts";
import { ChartPicture } from "./Chart.tsx";
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
      <ChartPicture block={chart} />
      {lines.map((line) => (
        <span key={line} className="note number">
          {line}
        </span>
      ))}
    </>
  );
});
