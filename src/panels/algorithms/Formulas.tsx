/** Formulas of one algorithm, and the terms in them; hovering one marks the other. */
import { useState, type SyntheticEvent } from "react";
import type { AlgorithmDoc } from "../../spec/algorithmDocs/docs.ts";
import type { SettingStyle } from "../../method/formula/symbols.ts";
import type { Binding, Term } from "../../method/formula/vocabulary.ts";
import { DataTable } from "../../ui/DataTable.tsx";
import { Tex, TexTrouble } from "../../ui/maths/Tex.tsx";
import { useStyleText } from "../../ui/useStyleText.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckBox } from "../../ui/Field.tsx";

interface FormulasProps {
  doc: AlgorithmDoc;
  style: SettingStyle;
  onStyle: (style: SettingStyle) => void;
  /** A setting's value; null if the term is not a setting. */
  valueOf: (binds: Binding) => string | null;
}

export function Formulas({ doc, style, onStyle, valueOf }: FormulasProps) {
  const [marked, setMarked] = useState<Binding | null>(null);
  const mark = (id: Binding) => setMarked((old) => (old === id ? null : id));
  const point = ({ target }: SyntheticEvent) => {
    const id = (target as Element).closest("[data-term]")?.getAttribute("data-term");
    if (id) setMarked(id as Binding);
  };
  // Ids come from the vocabulary, so they need no escaping.
  useStyleText(marked ? `.formulas [data-term="${marked}"]{background:var(--mark)}` : "");
  return (
    <>
      <h3>{words.formulas}</h3>
      <CheckBox
        checked={style === "values"}
        data-testid="as-numbers"
        onChange={({ target }) => onStyle(target.checked ? "values" : "symbols")}
      >
        {words.numbers}
      </CheckBox>
      <TexTrouble />
      {/* presentation: it only listens; the table below has a button for each term. */}
      <div
        className="formulas"
        role="presentation"
        onPointerOver={point}
        onClick={point}
        data-testid="formulas"
      >
        {doc.formulas.map(({ id, title, tex }) => (
          <figure key={id} data-formula={id}>
            <figcaption>{title}</figcaption>
            <div className="formula-box" tabIndex={0} role="group" aria-label={title}>
              <Tex tex={tex} display />
            </div>
          </figure>
        ))}
      </div>
      <TermTable terms={doc.terms} marked={marked} mark={mark} valueOf={valueOf} />
    </>
  );
}

interface TermTableProps {
  terms: readonly Term[];
  marked: Binding | null;
  mark: (id: Binding) => void;
  valueOf: (binds: Binding) => string | null;
}

function TermTable({ terms, marked, mark, valueOf }: TermTableProps) {
  return (
    <>
      <h3>{words.terms}</h3>
      <p className="note">{words.termsNote}</p>
      <DataTable
        label={words.terms}
        className="figures term-table"
        testId="terms"
        columns={[
          {
            id: "symbol",
            head: words.symbol,
            cell: (term) => <Symbol term={term} isMarked={marked === term.id} mark={mark} />,
          },
          {
            id: "meaning",
            head: words.meaning,
            cell: ({ name, about }) => (
              <>
                {name}
                <span className="note">{about}</span>
              </>
            ),
          },
          {
            id: "from",
            head: words.from,
            cell: ({ binds }) => (
              <>
                <code>{binds}</code>
                <SettingValue value={valueOf(binds)} />
              </>
            ),
          },
        ]}
        rows={terms}
        keyOf={({ id }) => id}
        rowProps={({ id }) => ({ className: marked === id ? "picked" : undefined })}
      />
    </>
  );
}

interface SymbolProps {
  term: Term;
  isMarked: boolean;
  mark: (id: Binding) => void;
}

function Symbol({ term: { id, symbol, name }, isMarked, mark }: SymbolProps) {
  return (
    <Button
      className="symbol"
      aria-label={name}
      aria-pressed={isMarked}
      data-testid={`term-${id}`}
      onClick={() => mark(id)}
    >
      <Tex tex={symbol} />
    </Button>
  );
}

function SettingValue({ value }: { value: string | null }) {
  return value === null ? null : <span className="note">{`= ${value}`}</span>;
}
