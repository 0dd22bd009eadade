/**
 * The algorithms page: the picked algorithms come first, so that the reader does not scroll past
 * the others; then the credit of each, and the table of all choices.
 */
import { algorithmNames, resolveAlgorithm } from "../../spec/algorithms.ts";
import { outsideDoc, outsideNames } from "../../spec/algorithmDocs/docs.ts";
import { CreditPicture } from "./CreditPicture.tsx";
import { DifferenceSection } from "./DifferenceSection.tsx";
import { OutsideSection, RowSection } from "./DocSection.tsx";
import { RowTable } from "./RowTable.tsx";
import { words } from "./words.ts";
import { InlineField } from "../../ui/Field.tsx";

const configs = algorithmNames.map((name) => resolveAlgorithm(name));
const outsiders = outsideNames.map((name) => ({ name, title: outsideDoc(name).title }));

interface AlgorithmsPanelProps {
  /** Up to two names; the first is read, the second compared with it. */
  picked: readonly string[];
  /** Address of a choice. */
  hrefOf: (...names: string[]) => string;
  onPick: (...names: string[]) => void;
}

export function AlgorithmsPanel({ picked, hrefOf, onPick }: AlgorithmsPanelProps) {
  const [name, other] = picked;
  const isRow = name !== undefined && algorithmNames.includes(name);
  const isOutside = name !== undefined && outsideNames.includes(name);
  return (
    <>
      {name !== undefined && !isRow && !isOutside && (
        <p role="alert" className="notice notice-warning" data-testid="unknown-algorithm">
          {`${words.unknown} ${name}`}
        </p>
      )}
      {isRow && (
        <>
          <CompareWith name={name} other={other} onPick={onPick} />
          {other !== undefined && algorithmNames.includes(other) && (
            <DifferenceSection pair={[name, other]} />
          )}
          <RowSection key={name} name={name} leads={other === undefined} />
        </>
      )}
      {isOutside && <OutsideSection key={name} name={name} />}
      <CreditPicture configs={configs} picked={picked} hrefOf={hrefOf} />
      <RowTable configs={configs} picked={picked} hrefOf={hrefOf} />
      <p className="outsiders">
        <strong>{words.outside}.</strong> {words.outsideNote}{" "}
        {outsiders.map((one) => (
          <a
            key={one.name}
            href={hrefOf(one.name)}
            aria-current={one.name === name ? "true" : undefined}
          >
            {one.title}
          </a>
        ))}
      </p>
    </>
  );
}

interface CompareWithProps {
  name: string;
  other: string | undefined;
  onPick: (...names: string[]) => void;
}

function CompareWith({ name, other, onPick }: CompareWithProps) {
  return (
    <p>
      <InlineField label={words.compare}>
        <select
          value={other ?? ""}
          data-testid="compare-with"
          onChange={({ target }) => onPick(...[name, target.value].filter(Boolean))}
        >
          <option value="">{words.nobody}</option>
          {configs
            .filter((config) => config.name !== name)
            .map((config) => (
              <option key={config.name} value={config.name}>
                {config.title}
              </option>
            ))}
        </select>
      </InlineField>
    </p>
  );
}
