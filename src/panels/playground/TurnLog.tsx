/** Who said what so far, and what it paid. */
import { formatSigned } from "../../charts/format.ts";
import type { PlayedTurn } from "../../runtime/questions.ts";
import type { Turn } from "./gamePlay.ts";
import { words } from "./words.ts";

export function TurnLog({ turns, played }: { turns: readonly Turn[]; played: PlayedTurn[] }) {
  return (
    <>
      <h4>{words.log}</h4>
      {played.length === 0 && <p className="note">{words.logNone}</p>}
      <ol className="play-log" data-testid="play-log">
        {played.map(({ text, actions, reward }, h) => (
          <li key={h}>
            <strong>{words.who[turns[h]?.who ?? "you"]}</strong> {words.said} <q>{text}</q>,{" "}
            {words.did} {actions.length === 0 ? words.nothing : actions.join(", ")}: {words.reward}{" "}
            <span className="number">{formatSigned(reward)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
