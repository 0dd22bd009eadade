/** The run's iterations as a track: evaluations as ticks, findings as marks, and the cursor. */
import type { Finding } from "../../record/runEvent.ts";
import { soundFindings } from "../../reading/cutOff.ts";
import type { RunLog, RunView } from "../../reading/log/runLog.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { iterationShown, resolveChoice, type TurnChoice } from "../../store/turnChoice.ts";
import { Icon } from "../../ui/Icon.tsx";
import { titleOf } from "../../reading/titles.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

// The doctor's findings on the track: each mark names its finding, and leads to its iteration.

interface FindingMarksProps {
  findings: readonly Finding[];
  /** Iterations of the whole track. */
  total: number;
  onGo: (finding: Finding) => void;
}

function FindingMarks({ findings, total, onGo }: FindingMarksProps) {
  return (
    <span className="track-marks">
      {markedPlaces(findings, total).map((group) => {
        const names = namesOf(group);
        return (
          <Button
            key={group[0]!.iteration}
            className="track-mark"
            style={{ left: `${(100 * group[0]!.iteration) / total}%` }}
            aria-label={names}
            title={names}
            data-testid="track-mark"
            onClick={() => onGo(group[0]!)}
          />
        );
      })}
    </span>
  );
}

/** A group of more is named by these, and by the number of the others. */
const NAMED = 4;

function namesOf(group: readonly Finding[]): string {
  const named = group.slice(0, NAMED).map(nameOf);
  const others = group.length - named.length;
  return [...named, ...(others > 0 ? [words.others(others)] : [])].join("; ");
}

function nameOf({ title, algorithm, iteration }: Finding): string {
  return words.finding(iteration, title, titleOf(algorithm));
}

/** Share of the track within which two marks would overlap: they are merged. */
const CLOSE = 0.06;

/** Findings in the order of their iterations, close ones merged. */
export function markedPlaces(findings: readonly Finding[], total: number): Finding[][] {
  const groups: Finding[][] = [];
  for (const finding of findings.toSorted((a, b) => a.iteration - b.iteration)) {
    const last = groups.at(-1);
    if (last && finding.iteration - last[0]!.iteration < CLOSE * total) last.push(finding);
    else groups.push([finding]);
  }
  return groups;
}

export function Timeline({ healthHref }: { healthHref: () => string }) {
  const view = useExperimentState("view");
  const choice = useExperimentState("choice");
  const { log } = view;
  const total = plannedOf(log);
  const { length: found } = soundFindings(log);
  if (total <= 0) return <span className="bar-track" />;
  return (
    <>
      <Place view={view} choice={choice} total={total} />
      <Track view={view} choice={choice} total={total} />
      {found > 0 && (
        <a
          className="chip chip-bad bar-findings"
          href={healthHref()}
          onPointerDown={({ currentTarget }) => (currentTarget.href = healthHref())}
          data-testid="bar-findings"
        >
          <Icon name="alert" size={14} />
          {found} <span>{words.findings(found)}</span>
        </a>
      )}
    </>
  );
}

/** Planned iterations of its spec, or those in a file without one. */
function plannedOf(log: RunLog): number {
  return log.start?.spec.optimisation.iterations ?? log.finishedIterations;
}

interface TrackProps {
  view: RunView;
  choice: TurnChoice;
  total: number;
}

function Place({ view, choice, total }: TrackProps) {
  return (
    <span className="bar-fact bar-iteration" data-testid="bar-iteration">
      {words.iteration} <strong>{iterationShown(view, choice)}</strong> {words.of} {total}
    </span>
  );
}

function Track({ view: { log }, choice, total }: TrackProps) {
  const { store } = useExperiment();
  const { iteration, iterations } = resolveChoice(log, choice);
  const findings = soundFindings(log);
  const place = (at: number) => `${(100 * at) / total}%`;
  // A track shows a thousand places apart, however many iterations and findings there are.
  const places = (all: readonly number[]) => [
    ...new Set(all.map((at) => place((total / 1000) * Math.round((1000 * at) / total)))),
  ];
  const goTo = (at: number) =>
    store.setState((now) => ({
      choice: { ...now.choice, iteration: at, episode: 0, turn: 0, token: null },
    }));
  const goToFinding = (finding: Finding) =>
    store.setState((now) => ({ choice: choiceAt(log, now.choice, finding) }));
  return (
    <span className="bar-track">
      <span className="track-line" aria-hidden="true">
        <span
          className="track-done"
          style={{ width: place(Math.min(total, log.finishedIterations)) }}
        />
        {places(evaluationsOf(log)).map((left) => (
          <span key={left} className="track-tick" style={{ left }} />
        ))}
        {places(findings.map(({ iteration: at }) => at)).map((left) => (
          <span key={left} className="track-finding" style={{ left }} />
        ))}
      </span>
      <input
        type="range"
        min={0}
        max={total}
        value={iteration}
        disabled={iterations.length === 0}
        aria-label={words.iteration}
        aria-valuetext={`${words.iteration} ${iteration} ${words.of} ${total}`}
        onChange={({ target }) => goTo(nextTo(iterations, Number(target.value), iteration))}
      />
      <FindingMarks findings={findings} total={total} onGo={goToFinding} />
    </span>
  );
}

/** The cursor at a finding of the doctor: its method, and the nearest iteration with episodes. */
export function choiceAt(log: RunLog, choice: TurnChoice, finding: Finding): TurnChoice {
  const { algorithm } = finding;
  const near = nearest(resolveChoice(log, { ...choice, algorithm }).iterations, finding.iteration);
  if (near === undefined) return choice;
  return { ...choice, algorithm, iteration: near, episode: 0, turn: 0, token: null };
}

/** The nearest iteration with episodes in the direction of the move, so that one key step always moves. */
function nextTo(iterations: readonly number[], wanted: number, now: number): number {
  const ahead = iterations.filter((at) => (wanted > now ? at > now : at < now));
  return nearest(ahead.length > 0 ? ahead : iterations, wanted) ?? now;
}

function nearest(iterations: readonly number[], wanted: number): number | undefined {
  return iterations.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
}

/** Iterations with held-out evaluations. */
function evaluationsOf(log: RunLog): readonly number[] {
  const [first] = log.algorithms;
  const [metric] = log.metrics("heldout");
  return first === undefined || metric === undefined ? [] : log.series(first, metric, "heldout").x;
}
