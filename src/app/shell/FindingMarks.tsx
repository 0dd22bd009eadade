/** The doctor's findings on the track: each mark names its finding, and leads to its iteration. */
import type { Finding } from "../../record/runEvent.ts";
import { titleOf } from "../../reading/titles.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

interface FindingMarksProps {
  findings: readonly Finding[];
  /** Iterations of the whole track. */
  total: number;
  onGo: (finding: Finding) => void;
}

export function FindingMarks({ findings, total, onGo }: FindingMarksProps) {
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
