/** One row for each rollout of the task at the cursor. */
import { formatSignedBrief } from "../../numeric/format.ts";
import { largestSize } from "../../charts/signedScale.ts";
import { greatest } from "../../numeric/lists.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import { Table } from "../../ui/DataTable.tsx";
import { Explained } from "../../ui/Explained.tsx";
import { useStrip, type StripItem } from "../../ui/useStrip.ts";
import type { GoToTurn } from "./go.ts";
import {
  around,
  firstDifference,
  outcomeOf,
  type Group,
  type Rollout,
} from "../../reading/groups.ts";
import type { GroupView } from "./groupView.ts";
import { SignedNumber } from "../shared/SignedNumber.tsx";
import { panelWords } from "../shared/strings.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

/** Rollouts drawn at once, turns written out of each, and letters of a turn. */
const MOST = 64;
const MOST_TURNS = 12;
const MOST_LETTERS = 40;

interface RolloutTableProps {
  view: GroupView;
  group: Group;
  go: GoToTurn;
}

export function RolloutTable({ view, group, go }: RolloutTableProps) {
  const { rollouts } = group;
  const current = rollouts.findIndex(({ episode }) => episode === view.episode);
  const choose = (i: number) => go(rollouts[i]!.episode);
  const { ref, onKeyDown, item } = useStrip<HTMLDivElement>(current, rollouts.length, choose);
  const { from, to } = around(current, rollouts.length, MOST);
  const longest = greatest([0, ...rollouts.map(({ record }) => record.turns.length)]);
  const turns = Math.min(MOST_TURNS, longest);
  const shared: Shared = {
    view,
    go,
    item,
    turns,
    reference: rollouts[current]!,
    size: largestSize(rollouts.map(({ record }) => record.reward)),
    gaps: rollouts.map(({ gap }) => gap),
    advantages: rollouts.flatMap(({ advantage }) => advantage ?? []),
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
        head={<Heads turns={turns} current={view.turn} />}
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

const FIRST = ["rollout", "reward", "gap"] as const;
const LAST = ["advantage", "success", "differs"] as const;

/** Turns are columns, between what a rollout earned and what that was worth. */
function Heads({ turns, current }: { turns: number; current: number }) {
  const named = (ids: readonly (keyof typeof words.columns)[]) =>
    ids.map((id) => (
      <th scope="col" key={id}>
        <Explained meaning={words.columns[id].hint}>{words.columns[id].name}</Explained>
      </th>
    ));
  return (
    <>
      {named(FIRST)}
      {Array.from({ length: turns }, (_, h) => (
        <th scope="col" key={h} className={h === current ? "group-current" : undefined}>
          {panelWords.turnName(h)}
        </th>
      ))}
      {named(LAST)}
    </>
  );
}

interface Shared {
  view: GroupView;
  go: GoToTurn;
  item: StripItem;
  /** Columns of turns. */
  turns: number;
  /** The rollout at the cursor. */
  reference: Rollout;
  /** Of the largest reward. */
  size: number;
  /** Of all rollouts, for the bars. */
  gaps: readonly number[];
  advantages: readonly number[];
}

interface RowProps extends Shared {
  rollout: Rollout;
  place: number;
}

function Row(props: RowProps) {
  const { rollout, place, view, go, item, turns, reference, size, gaps, advantages } = props;
  const { episode, record, gap, advantage } = rollout;
  const isHere = episode === view.episode;
  const outcome = outcomeOf(record);
  const differs = firstDifference(reference.record, record);
  return (
    <tr className={isHere ? "group-here" : undefined} data-episode={episode}>
      <th scope="row">
        <Button
          aria-current={isHere ? "true" : undefined}
          {...item(place)}
          onClick={() => go(episode)}
        >
          {isFork(record) ? words.forked(place, record.number) : words.rollout(place)}
        </Button>
      </th>
      <td className="number">{known(record.reward, size)}</td>
      <td className="number">
        <SignedNumber value={gap} among={gaps} size={size} />
      </td>
      <Did rollout={rollout} turns={turns} differs={differs} view={view} go={go} />
      <td className="number">
        <SignedNumber value={advantage} among={advantages} />
      </td>
      <td className={`group-outcome group-is-${outcome}`}>{words.outcome[outcome]}</td>
      <td>{isHere ? words.here : differs === null ? words.same : words.turn(differs)}</td>
    </tr>
  );
}

/** A file may lack rewards. */
function known(reward: number, size: number): string {
  return Number.isFinite(reward) ? formatSignedBrief(reward, size) : words.absent;
}

interface DidProps {
  rollout: Rollout;
  turns: number;
  differs: number | null;
  view: GroupView;
  go: GoToTurn;
}

/** A cell for each turn; the last one says how many more there are. */
function Did({ rollout: { episode, record }, turns, differs, view, go }: DidProps) {
  const rest = record.turns.length - turns;
  return Array.from({ length: turns }, (_, h) => {
    const turn = record.turns[h];
    const isHere = episode === view.episode && h === view.turn;
    return (
      <td
        key={h}
        className={h === differs ? "group-did group-parts" : "group-did"}
        aria-current={isHere ? "step" : undefined}
        title={turn && beginning(turn.text)}
      >
        {turn && (
          // presentation: the buttons of the cursor lead to the turn, too.
          <span role="presentation" className="listens" onClick={() => go(episode, h)}>
            {h === differs && <span aria-hidden="true">≠ </span>}
            {whatItDid(turn.actions, turn.text)}
          </span>
        )}
        {rest > 0 && h === turns - 1 && <span className="note"> + {rest}</span>}
      </td>
    );
  });
}

/** Its actions; of a file without them, how its text begins. */
function whatItDid(actions: readonly string[] | null, text: string): string {
  if (actions === null) return beginning(text) || words.noText;
  return beginning(actions.join(" ")) || words.nothing;
}

function beginning(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length <= MOST_LETTERS ? line : `${line.slice(0, MOST_LETTERS)}…`;
}
