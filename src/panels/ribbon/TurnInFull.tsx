/** All of the text of the turn at the cursor: the ribbon has room for its beginning only. */
import { formatSigned } from "../../charts/format.ts";
import type { RibbonView } from "./ribbonView.ts";
import { words } from "./words.ts";

export function TurnInFull({ view: { episode, turn } }: { view: RibbonView }) {
  const record = episode.turns[turn];
  if (!record) return null;
  const { observation, text, actions, formatPenalty } = record;
  return (
    <details data-testid="ribbon-full">
      <summary>{words.full(turn)}</summary>
      <h4>{words.shown}</h4>
      <pre className="ribbon-full" role="group" aria-label={words.shown} tabIndex={0}>
        {observation}
      </pre>
      <h4>{words.wrote}</h4>
      <pre className="ribbon-full" role="group" aria-label={words.wrote} tabIndex={0}>
        {text.trim() === "" ? words.noText : text}
      </pre>
      <p className="note">
        {words.actions(actions)}
        {formatPenalty < 0 && `; ${words.penalty(formatSigned(formatPenalty))}`}
      </p>
    </details>
  );
}
