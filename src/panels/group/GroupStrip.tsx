/** All recorded tasks at a glance: a box each, a dot for each rollout. */
import { formatBrief, formatSignedBrief } from "../../numeric/format.ts";
import { useStrip } from "../../ui/useStrip.ts";
import type { GoToTurn } from "./go.ts";
import { around, outcomeOf, type Group } from "../../reading/groups.ts";
import type { GroupView } from "./groupView.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

const BOX = { width: 56, height: 44, pad: 6 };
/** Tasks drawn at once. */
const MOST = 64;
/** Rollouts with a dot of their own: more have no room in a box. */
const MOST_DOTS = 64;

export function GroupStrip({ view: { groups, current }, go }: { view: GroupView; go: GoToTurn }) {
  const choose = (g: number) => go(groups[g]!.rollouts[0]!.episode);
  const { ref, onKeyDown, item } = useStrip<HTMLDivElement>(current, groups.length, choose);
  const { from, to } = around(current, groups.length, MOST);
  const y = rewardScale(groups);
  return (
    <>
      <div
        className="group-strip"
        ref={ref}
        onKeyDown={onKeyDown}
        role="group"
        aria-label={words.overview}
        data-testid="group-strip"
      >
        {groups.slice(from, to).map((group, i) => (
          <Button
            key={group.task}
            aria-current={from + i === current ? "true" : undefined}
            aria-label={describeBox(group)}
            title={describeBox(group)}
            {...item(from + i)}
            onClick={() => choose(from + i)}
          >
            <Dots group={group} y={y} />
            <span>
              {words.share(group.rollouts.length, group.solved, group.unknown)}
              {group.flat && <strong> =</strong>}
            </span>
          </Button>
        ))}
      </div>
      {to - from < groups.length && <p className="note">{words.cut(to - from, groups.length)}</p>}
      {groups.some(({ rollouts }) => rollouts.length > MOST_DOTS) && (
        <p className="note" data-testid="group-dots">
          {words.dotsCut(MOST_DOTS)}
        </p>
      )}
    </>
  );
}

function describeBox(group: Group): string {
  const { task, rollouts, solved, unknown, mean, std, flat } = group;
  const spread = Number.isNaN(std) ? words.absent : formatBrief(std);
  const outcomes = words.outcomes(rollouts.length, solved, unknown);
  const middle = Number.isFinite(mean) ? formatSignedBrief(mean) : words.absent;
  const text = words.box(task, rollouts.length, outcomes, middle, spread);
  return flat ? `${text}, ${words.flatTag}` : text;
}

/** Rewards to heights, the same for all boxes; those that are not known count for nothing. */
function rewardScale(groups: readonly Group[]): (reward: number) => number {
  const rewards = groups.flatMap(({ rollouts }) => rollouts.map(({ record }) => record.reward));
  let [low, high] = [Infinity, -Infinity];
  for (const reward of rewards.filter(Number.isFinite))
    [low, high] = [Math.min(low, reward), Math.max(high, reward)];
  const span = high - low;
  const { height, pad } = BOX;
  return (reward) =>
    span <= 0 ? height / 2 : height - pad - ((reward - low) / span) * (height - 2 * pad);
}

function Dots({ group, y }: { group: Group; y: (reward: number) => number }) {
  const { width, height, pad } = BOX;
  const step = (width - 2 * pad) / Math.max(1, Math.min(MOST_DOTS, group.rollouts.length));
  return (
    <svg width={width} height={height} aria-hidden="true">
      {Number.isFinite(group.mean) && (
        <line x1={2} x2={width - 2} y1={y(group.mean)} y2={y(group.mean)} className="group-mean" />
      )}
      {group.rollouts
        .slice(0, MOST_DOTS)
        .map(
          ({ episode, record }, i) =>
            Number.isFinite(record.reward) && (
              <circle
                key={episode}
                cx={pad + (i + 0.5) * step}
                cy={y(record.reward)}
                r={Math.max(1.5, Math.min(3, step / 2))}
                className={`group-${outcomeOf(record)}`}
              />
            ),
        )}
    </svg>
  );
}
