/** Every optimiser step as a small card that can be chosen; the strip is one tab stop. */
import { memo } from "react";
import { greatest } from "../../numeric/lists.ts";
import type { Band } from "../../objective/clipBand.ts";
import { binEdge } from "../../objective/ratioHistogram.ts";
import type { Histogram, UpdateRecord } from "../../record/runEvent.ts";
import { useStrip } from "../../ui/useStrip.ts";
import { isBeyond, bandPlaces } from "./band.ts";
import { share } from "./describe.ts";
import { addUp, cutFraction } from "../../reading/updateSteps.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

/** Steps that have a card. */
const MOST = 64;

interface StepStripProps {
  steps: readonly UpdateRecord[];
  band: Band | null;
  /** Place of the step that is chosen; null where more than one is. */
  current: number | null;
  onChoose: (step: number | null) => void;
}

export function StepStrip({ steps, band, current, onChoose }: StepStripProps) {
  const drawn = steps.slice(0, MOST);
  const at = current !== null && current < drawn.length ? current : 0;
  const { ref, onKeyDown, item } = useStrip<HTMLDivElement>(at, drawn.length, onChoose);
  const unit = band?.level === "token" ? "token" : "turn";
  return (
    <section aria-label={words.stepsTitle}>
      <h4>{words.stepsTitle}</h4>
      <p className="chart-hint">
        {words.stepsHint} {words.stepsLevel(words.units[unit])}
      </p>
      <div
        className="clip-strip"
        ref={ref}
        onKeyDown={onKeyDown}
        role="group"
        aria-label={words.stepsTitle}
        data-testid="clip-strip"
      >
        {drawn.map((step, i) => (
          <Button
            key={i}
            className="clip-card"
            aria-pressed={i === current}
            onClick={() => onChoose(i === current ? null : i)}
            {...item(i)}
          >
            <Card step={step} unit={unit} band={band?.level === unit ? band : null} />
          </Button>
        ))}
      </div>
      {steps.length > MOST && <p className="note">{words.stepsCapped(MOST, steps.length)}</p>}
    </section>
  );
}

interface CardProps {
  step: UpdateRecord;
  unit: "token" | "turn";
  band: Band | null;
}

const Card = memo(function Card({ step, unit, band }: CardProps) {
  return (
    <>
      <span>{words.step(step.epoch, step.minibatch)}</span>
      <Small histogram={step[unit]} band={band} />
      <span className="note number">
        {words.cardCut(share(cutFraction(addUp([step]).total)))}
        <br />
        {words.cardGradient(share(step.cutShare))}
      </span>
    </>
  );
});

const WIDTH = 120;
const HEIGHT = 36;

function Small({ histogram, band }: { histogram: Histogram; band: Band | null }) {
  const { counts } = histogram;
  const { from: first, to: last, edge } = bandPlaces(histogram, band);
  const x = (d: number) => ((d - first) / (last - first)) * WIDTH;
  const most = Math.log1p(greatest([...counts, 1]));
  const edges = [band?.low, band?.high].filter((d) => typeof d === "number");
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {counts.map((n, i) => {
        const [from, to] = [binEdge(histogram, i), binEdge(histogram, i + 1)];
        const tall = (Math.log1p(n) / most) * (HEIGHT - 2);
        if (n === 0) return null;
        const beyond = band !== null && isBeyond(band, from, to);
        return (
          <rect
            key={i}
            x={x(edge(i))}
            width={x(edge(i + 1)) - x(edge(i))}
            y={HEIGHT - tall}
            height={tall}
            className={beyond ? "clip-low" : "clip-bar"}
          />
        );
      })}
      {edges.map((d) => (
        <line key={d} x1={x(d)} x2={x(d)} y2={HEIGHT} className="clip-edge" />
      ))}
    </svg>
  );
}
