/** The rollouts of one task side by side: what each earned, where they part, and what the comparison makes of it. */
import { memo, useCallback, useMemo } from "react";
import { formatBrief, formatSignedBrief } from "../../numeric/format.ts";
import { useRedraw } from "../../charts/redrawQueue.ts";
import { isComparable } from "../../reading/groups.ts";
import { titleOf } from "../../reading/titles.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { useCursor } from "../shared/useCursor.ts";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { group } from "./manifest.ts";
import { GroupStrip } from "./GroupStrip.tsx";
import { groupView, type GroupView } from "./groupView.ts";
import { RolloutTable } from "./RolloutTable.tsx";
import { words } from "./words.ts";
import type { GoToTurn } from "./go.ts";
import { Button } from "../../ui/Button.tsx";

export function GroupPanel() {
  const { view, at, move } = useCursor();
  const newest = useMemo(() => ({ view, at }), [view, at]);
  const { ref, shown } = useRedraw(newest, view.log);
  const drawn = useMemo(() => groupView(shown.view, shown.at), [shown]);
  const go = useCallback<GoToTurn>(
    (episode, turn = 0) => move({ episode, turn, token: null }),
    [move],
  );
  return (
    <PanelFrame panel={group}>
      <div ref={ref}>
        {!drawn && <NoEpisodes panel={group} />}
        {drawn && !drawn.compares && (
          <Alone view={drawn} onMethod={(algorithm) => move({ algorithm })} />
        )}
        {drawn?.compares && <Groups view={drawn} go={go} />}
      </div>
    </PanelFrame>
  );
}

function Alone({ view, onMethod }: { view: GroupView; onMethod: (algorithm: string) => void }) {
  const { planned, algorithm, others } = view;
  const why =
    planned === 1
      ? words.once(titleOf(algorithm))
      : planned === null
        ? words.alone
        : words.onlyOne(planned);
  return (
    <>
      <p data-testid="group-alone">{why}</p>
      {others.length > 0 && (
        <p className="group-others">
          {words.others}
          {others.map((name) => (
            <Button key={name} onClick={() => onMethod(name)}>
              {titleOf(name)}
            </Button>
          ))}
        </p>
      )}
    </>
  );
}

const Groups = memo(function Groups({ view, go }: { view: GroupView; go: GoToTurn }) {
  const { groups, current, flatness, planned } = view;
  const group = groups[current]!;
  const n = group.rollouts.length;
  const flat = groups.filter((one) => one.flat).length;
  const comparable = groups.filter(isComparable).length;
  return (
    <>
      <h4>{words.overview}</h4>
      <p className="note prose-note">
        {words.summary(groups.length, comparable, flat)} {words.overviewHint}
      </p>
      <GroupStrip view={view} go={go} />
      <h4 data-testid="group-line">
        {words.groupLine(group.task, n, words.outcomes(n, group.solved, group.unknown))}
      </h4>
      <p className="group-numbers" data-testid="group-numbers">
        {describeMoments(view)}
      </p>
      {flatness !== "spread" && (
        <p className="notice" data-testid="group-flat" data-flatness={flatness}>
          {flatness === "flat" ? words.flat(n) : words[flatness]}
        </p>
      )}
      {planned !== null && n < planned && (
        <p className="note" data-testid="group-partial">
          {words.partial(n, planned)}
        </p>
      )}
      <RolloutTable view={view} group={group} go={go} />
      <p className="note prose-note">{words.keys}</p>
    </>
  );
});

/** For example: "Group mean +4.95, std 5.50 (n = 8). They diverge in turn 1." */
function describeMoments({ groups, current, std, parting }: GroupView): string {
  const group = groups[current]!;
  const n = group.rollouts.length;
  const spread = Number.isNaN(group.std) ? words.absent : formatBrief(group.std);
  const isKnown = Number.isFinite(group.mean);
  const parts = [
    isKnown ? words.moments(formatSignedBrief(group.mean), spread, n) : words.noMean,
    !isKnown ? "" : std === "population" ? words.population : std === "none" ? words.noDivisor : "",
    n < 2 ? "" : parting === null ? words.allSame : words.part(parting),
  ];
  return parts.filter((part) => part !== "").join(" ");
}
