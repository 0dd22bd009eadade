/** The critic's guesses beside what became of them, beside the truth, and over a whole board. */
import { memo, useEffect, useMemo, useState } from "react";
import { lineStyle } from "../../charts/palette.ts";
import { useRedraw } from "../../charts/redrawQueue.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { titleOf } from "../../reading/titles.ts";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { panelWords } from "../shared/strings.ts";
import { useCursor } from "../shared/useCursor.ts";
import { usePanelSetting } from "../shared/usePanelSetting.ts";
import { mayLackValues } from "../../reading/runConfig.ts";
import { methodWithTruth } from "../../reading/truths.ts";
import { critic } from "./manifest.ts";
import { CriticTables } from "./CriticTables.tsx";
import { TruthPolicy } from "../shared/ask/TruthPolicy.tsx";
import { describeFit, describeModel, describeTruth, hollowNote } from "./describe.ts";
import type { Against } from "./fit.ts";
import { criticModel, type Asked, type CriticModel } from "./model.ts";
import { LandscapeSection } from "./LandscapeSection.tsx";
import { MOST_PAIRS, readNext } from "./pairs.ts";
import { MOST_DOTS, Scatter } from "./Scatter.tsx";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { InlineField } from "../../ui/Field.tsx";

const selectTruths = (state: ExperimentState) => state.truths;
const SPANS = ["1", "5", "20"] as const;

export function CriticPanel() {
  const { view, at } = useCursor();
  const truths = useExperimentState(selectTruths);
  const asked = useAsked();
  const read = useReading(view.log, at, asked.span);
  const newest = useMemo(
    () => ({ view, at, truths, asked, read }),
    [view, at, truths, asked, read],
  );
  const { ref, shown } = useRedraw(newest, view.log);
  const model = useMemo(
    () => criticModel(shown.view, shown.at, shown.truths, shown.asked),
    [shown],
  );
  return (
    <PanelFrame panel={critic} about={words.about}>
      <div ref={ref}>
        {at.episodes.length === 0 ? (
          <NoEpisodes panel={critic} />
        ) : model.critic === null ? (
          <Empty>
            {mayLackValues(view, at.algorithm) ? words.valuesNotInFile : words.noCritic}
          </Empty>
        ) : (
          <>
            {at.fork && <p className="note">{words.fork(at.fork.number)}</p>}
            <Judged model={model} at={shown.at} />
            <LandscapeSection view={shown.view} at={shown.at} critic={model.critic} />
          </>
        )}
      </div>
    </PanelFrame>
  );
}

/** What the address keeps of the panel. */
function useAsked(): Asked {
  const [against] = usePanelSetting(critic, "against");
  const [span] = usePanelSetting(critic, "span");
  return useMemo(() => ({ against, span: Number(span) }), [against, span]);
}

/** Reads the iterations that are asked for in tasks of their own; says how many it has read so far. */
function useReading(log: RunLog, at: ResolvedChoice, span: number): number {
  const [read, setRead] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const work = () => {
      if (!readNext(log, at, span)) return;
      setRead((n) => n + 1);
      timer = setTimeout(work);
    };
    timer = setTimeout(work);
    return () => clearTimeout(timer);
  }, [log, at, span]);
  return read;
}

interface JudgedProps {
  model: CriticModel;
  at: ResolvedChoice;
}

const Judged = memo(function Judged({ model, at }: JudgedProps) {
  const { critic, algorithm, points, untrained } = model;
  const colour = lineStyle(critic!.name).colour;
  return (
    <>
      {!critic!.own && (
        <p className="note">{words.borrowed(titleOf(algorithm), titleOf(critic!.name))}</p>
      )}
      <Choices model={model} />
      <p data-testid="critic-summary">{describeModel(model)}</p>
      {model.truth.length === 0 && <NoTruth model={model} />}
      {points.length > 0 && !untrained && (
        <div className="critic-figures">
          <Returns model={model} at={at} colour={colour} />
          {model.truth.length > 0 && <Truth model={model} at={at} colour={colour} />}
        </div>
      )}
      <CriticTables model={model} />
    </>
  );
});

interface FigureProps {
  model: CriticModel;
  at: ResolvedChoice;
  colour: string;
}

function Returns({ model, at, colour }: FigureProps) {
  const { points, bins, against } = model;
  const label = `${words.scatter}. ${describeFit(model)}`;
  return (
    <figure className="critic-figure">
      <figcaption>
        <h4>{words.scatter}</h4>
        <p className="chart-hint">{words.scatterHint}</p>
      </figcaption>
      <Scatter
        points={points}
        bins={bins}
        colour={colour}
        label={label}
        here={ringAt(at)}
        yName={words.y[against]}
        testId="critic-scatter"
      />
      <p className="note prose-note">
        {[words.ring, ...hollowNote(model), bins.length > 0 ? words.squares : words.noBins].join(
          "; ",
        )}
        . {points.length > MOST_DOTS && words.drawn(MOST_DOTS, points.length)}
      </p>
    </figure>
  );
}

/** The place whose dots get rings; a fork is none of the run's episodes. */
function ringAt({ iteration, episode, fork }: ResolvedChoice) {
  return { iteration, episode: fork ? -1 : episode };
}

function Truth({ model, at, colour }: FigureProps) {
  const { truth } = model;
  const text = describeTruth(model);
  return (
    <figure className="critic-figure" data-testid="critic-truth">
      <figcaption>
        <h4>{words.truth}</h4>
        <p className="chart-hint">{words.truthHint}</p>
      </figcaption>
      <Scatter
        points={truth}
        colour={colour}
        label={`${words.truth}. ${text}`}
        here={ringAt(at)}
        yName={words.y.truth}
        testId="critic-truth-scatter"
      />
      <TruthPolicy trained={truth.flatMap(({ other }) => other ?? [])} />
      <p className="note prose-note">{text}</p>
    </figure>
  );
}

/** A line instead of a picture without points: why there is none, and what to do about it. */
function NoTruth({ model }: { model: CriticModel }) {
  const { otherTruth, unpaidTurns, critic } = model;
  return (
    <div data-testid="critic-truth">
      <p className="critic-no-truth">
        <strong>{words.truth}:</strong>{" "}
        {otherTruth && critic ? (
          <TruthSwitch critic={critic.name} text={words.truthOtherBrief} />
        ) : unpaidTurns > 0 ? (
          words.truthUnpaidBrief
        ) : (
          words.truthNoneBrief
        )}
      </p>
      <p className="note prose-note">{describeTruth(model)}</p>
    </div>
  );
}

interface TruthSwitchProps {
  /** Name of the method whose critic V is from. */
  critic: string;
  /** What stands before the button. */
  text: string;
}

/** Said where true values have another discount than V, with the way to a method where both agree. */
function TruthSwitch({ critic, text }: TruthSwitchProps) {
  const { view, at, move } = useCursor();
  const truths = useExperimentState(selectTruths);
  const fitting = methodWithTruth(view.log, at, truths, critic);
  return (
    <span className="truth-switch" data-testid="truth-switch">
      {text}
      {fitting !== null && (
        <>
          {" "}
          <Button onClick={() => move({ algorithm: fitting, fork: null })}>
            {panelWords.truthOf(titleOf(fitting))}
          </Button>
        </>
      )}
    </span>
  );
}

interface ChoicesProps {
  model: CriticModel;
}

function Choices({ model }: ChoicesProps) {
  const { against, hasTargets, iterations, pairs, without } = model;
  const [span, setSpan] = usePanelSetting(critic, "span");
  const [, setAgainst] = usePanelSetting(critic, "against");
  return (
    <div className="critic-choices">
      <InlineField label={words.span}>
        <select
          data-testid="critic-span"
          value={span}
          onChange={({ target }) => setSpan(target.value as (typeof SPANS)[number])}
        >
          {SPANS.map((one) => (
            <option key={one} value={one}>
              {words.spans(Number(one))}
            </option>
          ))}
        </select>
      </InlineField>
      <InlineField label={words.against}>
        <select
          data-testid="critic-against"
          value={against}
          onChange={({ target }) => setAgainst(target.value as Against)}
        >
          {(["target", "came"] as const).map((one) => (
            <option key={one} value={one} disabled={one === "target" && !hasTargets}>
              {words.againsts[one]}
            </option>
          ))}
        </select>
      </InlineField>
      <span className="note">
        {words.againstHints[against]} {iterations.length > 1 && `(${words.spanNote})`}
        {pairs.length + without >= MOST_PAIRS && words.spanCapped(iterations.length)}
      </span>
    </div>
  );
}
