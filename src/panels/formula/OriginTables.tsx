/** The numbers that formulas are filled from: turns, tokens and rollouts; those behind the marked term stand out. */
import type { ReactNode } from "react";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { termOf, type Binding } from "../../spec/algorithmDocs/vocabulary.ts";
import type { Episodes } from "../credits/batch.ts";
import { visible } from "../credits/columns.ts";
import { Tex } from "../maths/Tex.tsx";
import { membersOf } from "./groupNumbers.ts";
import { brief, episodeCell, tokenCell, turnCell } from "./known.ts";
import { findNumber } from "./numbers.ts";
import { placeAt, type Place } from "./place.ts";
import { words } from "./words.ts";

const TURN_COLUMNS: readonly Binding[] = [
  ...(["turn.reward", "turn.return", "turn.value", "turn.delta"] as const),
  ...(["turn.highAdvantage", "turn.rawAdvantage", "turn.advantage", "turn.ratio"] as const),
];
const TOKEN_COLUMNS: readonly Binding[] = [
  ...(["token.oldLogprob", "token.logprob", "token.logRatio", "token.reward"] as const),
  ...(["token.return", "token.value", "token.delta"] as const),
  ...(["token.rawAdvantage", "token.advantage"] as const),
];

interface OriginTablesProps {
  place: Place;
  episode: EpisodeRecord;
  episodes: Episodes;
  /** Those behind the marked term. */
  cells: readonly string[];
}

export function OriginTables(props: OriginTablesProps) {
  const { place, episode, episodes, cells } = props;
  const { all, b, h, t } = place;
  const turns = episode.turns.map((_, i) => placeAt(all, b, i, null));
  const tokens = episode.turns[h]!.tokens.map((_, i) => placeAt(all, b, h, i));
  return (
    <div className="origin-tables">
      <Origins
        name={words.turns}
        first={words.turn}
        {...{ columns: TURN_COLUMNS, places: turns, cells, current: h }}
        head={(one) => one.h + 1}
        cell={(binding, one) => turnCell(binding, one, one.h)}
      />
      <Origins
        name={words.tokens(h + 1)}
        first={words.token}
        {...{ columns: TOKEN_COLUMNS, places: tokens, cells, current: t }}
        head={(one) => <code>{visible(episode.turns[h]!.tokens[one.t]!.text)}</code>}
        cell={(binding, one) => tokenCell(binding, one, one.t)}
      />
      {all.config.grouped && <Group {...{ place, episodes, cells }} />}
    </div>
  );
}

interface OriginsProps {
  name: string;
  first: string;
  columns: readonly Binding[];
  places: readonly Place[];
  current: number;
  cells: readonly string[];
  head: (place: Place) => ReactNode;
  cell: (binding: Binding, place: Place) => string;
}

function Origins({ name, first, columns, places, current, cells, head, cell }: OriginsProps) {
  const rows = places.map((place) => columns.map((binding) => findNumber(binding, place).value));
  const shown = columns.flatMap((binding, i) =>
    rows.some((row) => row[i] !== null) ? [{ binding, i }] : [],
  );
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label={name}>
      <table className="origins">
        <caption>{name}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {shown.map(({ binding }) => (
              <th scope="col" key={binding} title={termOf(binding).name}>
                <span aria-hidden="true">
                  <Tex tex={termOf(binding).symbol} />
                </span>
                <span className="visually-hidden">{termOf(binding).name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {places.map((place, p) => (
            <tr key={p} aria-current={p === current ? "step" : undefined}>
              <th scope="row">{head(place)}</th>
              {shown.map(({ binding, i }) => (
                <Cell key={binding} id={cell(binding, place)} value={rows[p]![i]!} cells={cells} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  id: string;
  value: number | null;
  cells: readonly string[];
}

function Cell({ id, value, cells }: CellProps) {
  const isOrigin = cells.includes(id);
  return (
    <td className={isOrigin ? "number origin" : "number"} data-cell={id}>
      {isOrigin && <span aria-hidden="true">▸ </span>}
      {value === null ? words.unknown : brief(value)}
    </td>
  );
}

interface GroupProps {
  place: Place;
  episodes: Episodes;
  cells: readonly string[];
}

function Group({ place, episodes, cells }: GroupProps) {
  const { all, b } = place;
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label={words.group}>
      <table className="origins">
        <caption>{words.group}</caption>
        <thead>
          <tr>
            <th scope="col">{words.rollout}</th>
            <th scope="col">{words.score}</th>
          </tr>
        </thead>
        <tbody>
          {membersOf(place).map((member) => (
            <tr key={member} aria-current={member === b ? "step" : undefined}>
              <th scope="row">{episodes[member]!.trajectory + 1}</th>
              <Cell id={episodeCell(member)} value={all.score[member]!} cells={cells} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
