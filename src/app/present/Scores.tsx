/** Held-out success of each method, in a line: what a class asks for while a figure is shown. */
import { formatPercent } from "../../numeric/format.ts";
import { LineSwatch } from "../../charts/LineSwatch.tsx";
import { lineStyles } from "../../charts/palette.ts";
import { useLead } from "../../panels/shared/useLead.ts";
import { titleOf } from "../../reading/titles.ts";
import type { ExperimentStore } from "../../store/experimentState.ts";
import { words } from "./words.ts";

/** Maximum methods that fit. */
const MOST = 4;

/** Nothing before all were measured together. */
export function Scores({ store }: { store: ExperimentStore }) {
  const lead = useLead(store);
  if (!lead || lead.ranked.length > MOST) return null;
  const styles = lineStyles(lead.ranked.map(({ name }) => name));
  return (
    <ul className="present-scores" aria-label={words.success} data-testid="present-scores">
      <li aria-hidden="true">{words.success}</li>
      {lead.ranked.map(({ name, value }) => (
        <li key={name} title={titleOf(name)}>
          <LineSwatch {...styles.get(name)!} />
          <span className="visually-hidden">{titleOf(name)} </span>
          <strong>{formatPercent(value)}</strong>
        </li>
      ))}
    </ul>
  );
}
