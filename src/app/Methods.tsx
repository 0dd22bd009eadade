/** The methods that a run compares: the main ones visible, the rest by family in a disclosure. */
import { LineSwatch } from "../charts/LineSwatch.tsx";
import { lineStyles, type LineStyle } from "../charts/palette.ts";
import { families, algorithmFamily, type Family } from "../spec/algorithmDocs/families.ts";
import { algorithmNames, resolveAlgorithm, type AlgorithmConfig } from "../spec/algorithms.ts";
import { toggleAlgorithm, type SpecDraft } from "../store/specDraft.ts";
import { mainMethods } from "./formFields.ts";
import { ALGORITHMS_HASH } from "./route.ts";
import { appWords } from "./strings.ts";
import { CheckBox } from "../ui/Field.tsx";

interface MethodsProps {
  draft: SpecDraft;
  change: (step: (draft: SpecDraft) => SpecDraft) => void;
}

const rows = algorithmNames.map((name) => resolveAlgorithm(name));
const others = rows.filter(({ name }) => !mainMethods.includes(name));

export function Methods({ draft, change }: MethodsProps) {
  const chosen = draft.spec.algorithms.map(({ name }) => name);
  // As in the charts: dashes are assigned among the methods shown together.
  const styles = lineStyles([...chosen, ...mainMethods.filter((name) => !chosen.includes(name))]);
  const box = (row: AlgorithmConfig) => (
    <MethodBox
      key={row.name}
      title={row.title}
      name={row.name}
      style={styles.get(row.name)}
      checked={chosen.includes(row.name)}
      // The last one cannot be removed: a run needs a method.
      disabled={chosen.length === 1 && chosen[0] === row.name}
      onChange={(on) => change((now) => toggleAlgorithm(now, row.name, on, algorithmNames))}
    />
  );
  const chosenOthers = others.filter(({ name }) => chosen.includes(name));
  return (
    <>
      <fieldset className="methods">
        <legend>{appWords.methods}</legend>
        {rows.filter(({ name }) => mainMethods.includes(name)).map(box)}
      </fieldset>
      <details className="more-methods" data-testid="more-methods">
        <summary>{appWords.moreMethods(chosenOthers.map(({ title }) => title))}</summary>
        {(Object.keys(families) as Family[]).map((family) => (
          <fieldset key={family} className="method-family">
            <legend>{families[family]}</legend>
            {others.filter((row) => algorithmFamily(row) === family).map(box)}
          </fieldset>
        ))}
        <p className="note">
          <a href={ALGORITHMS_HASH}>{appWords.whatMethods}</a>
        </p>
      </details>
    </>
  );
}

interface MethodBoxProps {
  name: string;
  title: string;
  /** Its line style in charts; absent if it is in none. */
  style: LineStyle | undefined;
  checked: boolean;
  disabled: boolean;
  onChange: (on: boolean) => void;
}

function MethodBox({ name, title, style, checked, disabled, onChange }: MethodBoxProps) {
  return (
    <CheckBox
      checked={checked}
      disabled={disabled}
      data-testid={`method-${name}`}
      onChange={({ target }) => onChange(target.checked)}
    >
      {style && <LineSwatch {...style} />}
      {title}
    </CheckBox>
  );
}
