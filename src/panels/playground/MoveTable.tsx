/** Possible next actions, with the policy's probability of each: buttons with bars. */
import { formatPercent } from "../../numeric/format.ts";
import type { MoveChance } from "../../runtime/questions.ts";
import { Table } from "../../ui/DataTable.tsx";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

interface MoveTableProps {
  moves: readonly MoveChance[];
  /** Whether the moves are beginnings of a response; else they are whole ones. */
  beginnings: boolean;
  /** The method that is asked. */
  method: string;
  onMove: (action: string) => void;
}

const ACTIONS: Record<string, string> = {
  Up: "playUp",
  Down: "playDown",
  Left: "playLeft",
  Right: "playRight",
};

export function MoveTable({ moves, beginnings, method, onMove }: MoveTableProps) {
  const rest = 1 - moves.reduce((sum, { probability }) => sum + probability, 0);
  return (
    <div className="play-moves">
      <Table
        testId="play-moves"
        head={
          <>
            <th scope="col">{words.moves}</th>
            <th scope="col">{words.movesOf(method)}</th>
          </>
        }
      >
        {moves.map(({ action, probability }) => (
          <tr key={action} data-move={action}>
            <th scope="row">
              <Button data-action={ACTIONS[action]} onClick={() => onMove(action)}>
                {action}
              </Button>
            </th>
            <Chance probability={probability} />
          </tr>
        ))}
        <tr data-move="other">
          <th scope="row" className="note">
            {beginnings ? words.other : words.otherShop}
          </th>
          <Chance probability={Math.max(0, rest)} />
        </tr>
      </Table>
      <p className="note prose-note">{beginnings ? words.movesNote : words.shopNote}</p>
    </div>
  );
}

function Chance({ probability }: { probability: number }) {
  return (
    <td className="number">
      <span className="play-bar" style={{ width: `${probability * 6}rem` }} aria-hidden="true" />
      {formatPercent(probability)}
    </td>
  );
}
