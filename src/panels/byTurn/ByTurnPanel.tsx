/** What turns get by their place in the episode as training goes on: one map per method, one scale and one cursor for all. */
import { memo, useMemo, useRef, useState } from "react";
import { LineSwatch } from "../../charts/LineSwatch.tsx";
import { lineStyles, type LineStyle } from "../../charts/palette.ts";
import { greatest, least } from "../../numeric/lists.ts";
import {
  turnMaps,
  turnQuantities,
  type TurnMap,
  type TurnMaps,
  type TurnQuantity,
} from "../../reading/byTurn.ts";
import type { RunLog, RunView } from "../../reading/log/runLog.ts";
import { mayLackValues } from "../../reading/runConfig.ts";
import { titleOf } from "../../reading/titles.ts";
import { xDomain } from "../../reading/xDomain.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import { moveIteration, moveTurn, type ChoiceMove } from "../../store/turnChoice.ts";
import { useExperiment } from "../../store/hooks.ts";
import { useActions } from "../../ui/useActions.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { useCursor } from "../shared/useCursor.ts";
import { usePanelSetting } from "../shared/usePanelSetting.ts";
import { useSlicedRedraw } from "../shared/useSlicedRedraw.ts";
import { ByTurnTables } from "./ByTurnTables.tsx";
import { heatColumns } from "./columns.ts";
import { heatAt, heatScale, TONES, toneColour, type HeatScale } from "./heat.ts";
import { HeatMap, type HeatPlace } from "./HeatMap.tsx";
import { byTurn } from "./manifest.ts";
import { nearestPlace } from "./place.ts";
import { words } from "./words.ts";
import { Empty } from "../../ui/Empty.tsx";

interface MadeMaps extends TurnMaps {
  view: RunView;
}

function* made(view: RunView) {
  return { ...(yield* turnMaps(view.log)), view } satisfies MadeMaps;
}

export function ByTurnPanel() {
  const { view } = useCursor();
  const [isReading, setReading] = useState(false);
  const { ref, shown } = useSlicedRedraw(useEachIteration(view, isReading), view.log, made);
  const pending = shown?.pending === true;
  if (pending !== isReading) setReading(pending);
  const [quantity, setQuantity] = usePanelSetting(byTurn, "show");
  return (
    <PanelFrame panel={byTurn} scope="turns">
      <div ref={ref}>
        {view.origin === "none" ? (
          <Empty>{words.empty}</Empty>
        ) : (
          <>
            <Quantities quantity={quantity} onChange={setQuantity} />
            {shown && <Maps made={shown} quantity={quantity} />}
          </>
        )}
      </div>
    </PanelFrame>
  );
}

/** The view when its log had another finished iteration; while something is being read, every one. */
function useEachIteration(view: RunView, isReading: boolean): RunView {
  const [last, setLast] = useState({ view, finished: finishedIn(view) });
  const finished = finishedIn(view);
  const isNew = last.view.log !== view.log || last.finished !== finished || isReading;
  if (isNew && last.view !== view) setLast({ view, finished });
  return last.view;
}

function finishedIn({ log }: RunView): number {
  return log.algorithms.reduce((sum, name) => sum + log.iterations(name).length, 0);
}

interface QuantitiesProps {
  quantity: TurnQuantity;
  onChange: (quantity: TurnQuantity) => void;
}

function Quantities({ quantity, onChange }: QuantitiesProps) {
  return (
    <>
      <fieldset className="segments">
        <legend className="visually-hidden">{words.show}</legend>
        {turnQuantities.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="byTurn-show"
              value={one}
              checked={one === quantity}
              onChange={() => onChange(one)}
            />
            {words.quantities[one]}
          </label>
        ))}
      </fieldset>
      <p className="note">{words.about[quantity]}</p>
    </>
  );
}

/** Turns that are drawn. */
const MOST_TURNS = 40;

const selectBrush = ({ curves }: ExperimentState) =>
  curves.axis === "iteration" ? curves.brush : null;

const Maps = memo(function Maps({ made, quantity }: { made: MadeMaps; quantity: TurnQuantity }) {
  const { maps, pending, view } = made;
  const scale = useMemo(() => heatScale(maps, quantity), [maps, quantity]);
  const frame = useMemo(() => frameOf(view.log, maps, quantity), [view, maps, quantity]);
  const brush = useExperimentState(selectBrush);
  const { at, move } = useCursor();
  const { store } = useExperiment();
  const [read, setRead] = useState<HeatPlace | null>(null);
  const ref = useRef<HTMLDivElement>(null);
  useActions(ref, (id) => {
    const by = KEYS[id];
    if (by) store.setState(({ view: { log }, choice }) => ({ choice: by(log, choice) }));
  });
  const cursor = at.iteration > 0 ? { iteration: at.iteration, turn: at.turn } : null;
  const styles = lineStyles(maps.map(({ algorithm }) => algorithm));
  const choose = (algorithm: string) => (place: HeatPlace) =>
    move({ algorithm, ...nearestPlace(view.log, algorithm, place), token: null });
  return (
    <div ref={ref}>
      <Reading maps={maps} quantity={quantity} scale={scale} styles={styles} at={read ?? cursor} />
      <div className="heat-maps" data-testid="byTurn-maps">
        {maps.map((map) => (
          <Method
            key={map.algorithm}
            map={map}
            quantity={quantity}
            lacking={mayLackValues(view, map.algorithm)}
            style={styles.get(map.algorithm)!}
            pending={pending}
          >
            <HeatMap
              map={map}
              quantity={quantity}
              scale={scale}
              columns={frame.columns}
              turns={frame.turns}
              cursor={cursor}
              brush={brush}
              label={words.map(titleOf(map.algorithm), words.quantities[quantity])}
              onRead={setRead}
              onChoose={choose(map.algorithm)}
            />
          </Method>
        ))}
      </div>
      <Colours scale={scale} quantity={quantity} />
      {gapNotes(maps, quantity, frame.columns.packed).map((note) => (
        <p key={note} className="note">
          {note}
        </p>
      ))}
      {pending && <p className="note">{words.reading}</p>}
      {frame.all > MOST_TURNS && <p className="note">{words.capped(MOST_TURNS, frame.all)}</p>}
      <ByTurnTables view={view} maps={maps} iteration={at.iteration} />
    </div>
  );
});

const KEYS: Record<string, ChoiceMove> = {
  mapEarlier: (log, choice) => moveIteration(log, choice, -1),
  mapLater: (log, choice) => moveIteration(log, choice, 1),
  mapTurnUp: (log, choice) => moveTurn(log, choice, -1),
  mapTurnDown: (log, choice) => moveTurn(log, choice, 1),
};

/** The same for all methods: a run under way has the axis of the whole run. */
function frameOf(log: RunLog, maps: readonly TurnMap[], quantity: TurnQuantity) {
  const firsts = maps.map(({ algorithm }) => log.iterations(algorithm)[0] ?? Infinity);
  const first = Math.min(least(firsts), xDomain(log)[1]);
  const longest = (map: TurnMap) => greatest([0, ...map.columns.map(({ turns }) => turns.length)]);
  const all = greatest([1, ...maps.map(longest)]);
  const columns = heatColumns(maps, quantity, [first, xDomain(log)[1]]);
  return { columns, turns: Math.min(MOST_TURNS, all), all };
}

interface MethodProps {
  map: TurnMap;
  quantity: TurnQuantity;
  /** See mayLackValues. */
  lacking: boolean;
  style: LineStyle;
  /** Whether iterations are still being read. */
  pending: boolean;
  children: React.ReactNode;
}

/** A method's map under its name; where it has no numbers, why. */
function Method({ map, quantity, lacking, style, pending, children }: MethodProps) {
  const reason = reasonOf(map, quantity, lacking);
  const why = pending ? words.reading : reason;
  return (
    <section className="heat-method" data-method={map.algorithm}>
      <h4>
        <LineSwatch {...style} /> {titleOf(map.algorithm)}
      </h4>
      {reason === null ? children : <Empty>{why}</Empty>}
    </section>
  );
}

/** Of how many iterations there are episodes, where that is not all; in one sentence where it is the same for all methods. */
function gapNotes(maps: readonly TurnMap[], quantity: TurnQuantity, packed: boolean): string[] {
  const note = packed ? words.packed : words.gaps;
  const notes = maps
    .filter((map) => hasNumbers(map, quantity) && hasGaps(map, quantity))
    .map(({ recorded, iterations }) => note(recorded, iterations));
  return [...new Set(notes)];
}

function hasGaps({ columns, iterations }: TurnMap, quantity: TurnQuantity): boolean {
  const known = columns.filter(({ turns }) => turns.some((means) => means[quantity] !== null));
  return known.length < iterations;
}

const hasNumbers = ({ columns }: TurnMap, quantity: TurnQuantity) =>
  columns.some(({ turns }) => turns.some((means) => means[quantity] !== null));

/** Null where there are numbers. */
function reasonOf(map: TurnMap, quantity: TurnQuantity, lacking: boolean) {
  const { algorithm, hasCritic, iterations } = map;
  const title = titleOf(algorithm);
  const { missing } = words;
  if (hasNumbers(map, quantity)) return null;
  if (iterations === 0) return missing.waiting(title);
  if (quantity === "value" || quantity === "explained")
    return hasCritic === false && !lacking ? missing.noCritic(title) : missing.notInLog(title);
  return missing.none(title);
}

interface ReadingProps {
  maps: readonly TurnMap[];
  quantity: TurnQuantity;
  scale: HeatScale;
  styles: ReadonlyMap<string, LineStyle>;
  at: HeatPlace | null;
}

/** The numbers of all methods where the pointer is, else at the cursor; above the maps, where they hide nothing. */
function Reading({ maps, quantity, scale, styles, at }: ReadingProps) {
  const text = (map: TurnMap) => {
    const found = at && heatAt(map, quantity, at.iteration, at.turn);
    if (!found) return words.notRecorded;
    return found.value === null ? words.none : scale.format(found.value);
  };
  return (
    <p className="heat-reading" data-testid="byTurn-reading">
      {at && <span>{words.at(at.iteration, at.turn)}</span>}
      {at &&
        maps.map((map) => (
          <span key={map.algorithm} data-method={map.algorithm}>
            <LineSwatch {...styles.get(map.algorithm)!} /> {titleOf(map.algorithm)}{" "}
            <strong>{text(map)}</strong>
          </span>
        ))}
    </p>
  );
}

/** What the colours mean, from the lowest to the highest. */
function Colours({ scale, quantity }: { scale: HeatScale; quantity: TurnQuantity }) {
  const { limit, signed, format } = scale;
  if (limit === 0) return null;
  const tones = Array.from(
    { length: signed ? 2 * TONES + 1 : TONES + 1 },
    (_, i) => i - (signed ? TONES : 0),
  );
  return (
    <p className="heat-colours" role="img" aria-label={words.scale(words.quantities[quantity])}>
      <span>{format(signed ? -limit : 0)}</span>
      <span className="heat-ramp">
        {tones.map((tone) => (
          <i key={tone} style={{ background: toneColour(tone, signed) }} />
        ))}
      </span>
      <span>{format(limit)}</span>
      <span className="note">{words.same}</span>
    </p>
  );
}
