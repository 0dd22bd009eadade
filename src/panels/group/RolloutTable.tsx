/** One row for each rollout of the task at the cursor. */
import { formatSigned } from "../../charts/format.ts";
import { signedScale, toneBackground, type SignedScale } from "../../charts/signedScale.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import { Table } from "../../ui/DataTable.tsx";
import { useStrip, type StripItem } from "../../ui/useStrip.ts";
import type { Go } from "./go.ts";
import {
  around,
  firstDifference,
  outcomeOf,
  type Group,
  type Rollout,
} from "../../reading/groups.ts";
import type { GroupView } from "./groupView.ts";
import { MeanPicture, pictureScale, type PictureScale } from "./MeanPicture.tsx";
import { words } from "./words.ts";

/** Rollouts drawn at once, turns written out of each, and letters of a turn. */
const MOST = 64;
const MOST_TURNS = 12;
const MOST_LETTERS = 40;

interface RolloutTableProps {
  view: GroupView;
  group: Group;
  go: Go;
}

export function RolloutTable({ view, group, go }: RolloutTableProps) {
  const { rollouts } = group;
  const current = rollouts.findIndex(({ episode }) => episode === view.episode);
  const choose = (i: number) => go(rollouts[i]!.episode);
  const { ref, onKeyDown, item } = useStrip<HTMLDivElement>(current, rollouts.length, choose);
  const { from, to } = around(current, rollouts.length, MOST);
  const advantages = rollouts.flatMap(({ advantage }) => advantage ?? []);
  const shared: Shared = {
    ...{ view, go, item, reference: rollouts[current]! },
    ...{ picture: pictureScale(group), tone: signedScale(advantages) },
  };
  return (
    <div
      className="group-box"
      ref={ref}
      onKeyDown={onKeyDown}
      role="group"
      aria-label={words.table}
    >
      <Table
        className="group-table"
        testId="group-table"
        head={Object.entries(words.columns).map(([id, { name, hint }]) => (
          <th scope="col" key={id} title={hint}>
            {name}
          </th>
        ))}
      >
        {rollouts.slice(from, to).map((rollout, i) => (
          <Row key={rollout.episode} rollout={rollout} place={from + i} {...shared} />
        ))}
      </Table>
      {to - from < rollouts.length && (
        <p className="note">{words.cut(to - from, rollouts.length)}</p>
      )}
    </div>
  );
}

interface Shared {
  view: GroupView;
  go: Go;
  item: StripItem;
  /** The rollout at the cursor. */
  reference: Rollout;
  picture: PictureScale;
  tone: SignedScale;
}

interface RowProps extends Shared {
  rollout: Rollout;
  place: number;
}

function Row({ rollout, place, view, go, item, reference, picture, tone }: RowProps) {
  const { episode, record, gap, advantage } = rollout;
  const isHere = episode === view.episode;
  const outcome = outcomeOf(record);
  const differs = firstDifference(reference.record, record);
  const background = advantage === null ? undefined : toneBackground(tone(advantage));
  return (
    <tr className={isHere ? "group-here" : undefined} data-episode={episode}>
      <th scope="row">
        <button
          type="button"
          aria-current={isHere ? "true" : undefined}
          {...item(place)}
          onClick={() => go(episode)}
        >
          {isFork(record) ? words.forked(place, record.number) : words.rollout(place)}
        </button>
      </th>
      <td className="number">{known(record.reward)}</td>
      <td className="number">{known(gap)}</td>
      <td>
        {/* Without a mean some reward is not known, and there is no axis. */}
        {Number.isFinite(picture.mean) && (
          <MeanPicture scale={picture} reward={record.reward} outcome={outcome} />
        )}
      </td>
      <td>{words.outcome[outcome]}</td>
      <td className="number">{record.turns.length}</td>
      <td>{isHere ? words.here : differs === null ? words.same : words.turn(differs)}</td>
      <td className="number">
        <span style={background ? { background } : undefined}>
          {advantage === null ? words.absent : formatSigned(advantage)}
        </span>
      </td>
      <Did {...{ rollout, differs, view, go }} />
    </tr>
  );
}

/** A file may lack rewards. */
function known(reward: number): string {
  return Number.isFinite(reward) ? formatSigned(reward) : words.absent;
}

interface DidProps {
  rollout: Rollout;
  differs: number | null;
  view: GroupView;
  go: Go;
}

function Did({ rollout: { episode, record }, differs, view, go }: DidProps) {
  const rest = record.turns.length - MOST_TURNS;
  return (
    <td className="group-did">
      <ol>
        {record.turns.slice(0, MOST_TURNS).map(({ actions, text }, h) => (
          <li
            key={h}
            className={h === differs ? "group-parts" : undefined}
            aria-current={episode === view.episode && h === view.turn ? "step" : undefined}
            title={beginning(text)}
          >
            {/* presentation: the buttons of the cursor lead to the turn, too. */}
            <span role="presentation" className="listens" onClick={() => go(episode, h)}>
              {h === differs && <span aria-hidden="true">≠ </span>}
              {whatItDid(actions, text)}
            </span>
          </li>
        ))}
      </ol>
      {rest > 0 && <span className="note"> + {rest}</span>}
    </td>
  );
}

/** Its actions; of a file that does not tell them, how its text begins. */
function whatItDid(actions: readonly string[] | null, text: string): string {
  if (actions === null) return beginning(text) || words.noText;
  return beginning(actions.join(" ")) || words.nothing;
}

function beginning(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length <= MOST_LETTERS ? line : `${line.slice(0, MOST_LETTERS)}…`;
}
