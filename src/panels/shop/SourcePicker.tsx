/** Which shop is open: one generated from a seed, or WebShop's own files. */
import { useEffect, useEffectEvent, useId, useState } from "react";
import {
  DEFAULT_CATALOGUE_SEED,
  MAX_CATALOGUE_SEED,
} from "../../env/webshop/generate/generateCatalogue.ts";
import type { LoadedShop } from "../../env/webshop/loadProducts.ts";
import { describeWarning } from "../../env/webshop/loadReport.ts";
import type { LoadRequest } from "./loadFiles.ts";
import { FilesForm } from "./FilesForm.tsx";
import { wholeNumber } from "./GoalPicker.tsx";
import type { OpenShop, Reading } from "./shopState.ts";
import { words } from "../shared/shop/words.ts";
import { Field, Select } from "../../ui/Field.tsx";

interface SourcePickerProps {
  shop: OpenShop;
  reading: Reading;
  onGenerated: (seed: number) => void;
  onFiles: (request: LoadRequest) => void;
  onCancel: () => void;
}

const { source: w } = words;

export function SourcePicker({ shop, reading, onGenerated, onFiles, onCancel }: SourcePickerProps) {
  const { source, catalogue } = shop;
  const [kind, setKind] = useState(source.kind);
  const choose = (next: typeof kind) => {
    setKind(next);
    if (next === "generated" && source.kind !== "generated") onGenerated(DEFAULT_CATALOGUE_SEED);
  };
  return (
    <>
      <Field
        label={w.legend}
        hint={w.open(catalogue.products.length, catalogue.goals.length)}
        hintTestId="shop-size"
      >
        {(control) => (
          <Select
            {...control}
            value={kind}
            data-testid="source"
            options={(["generated", "files"] as const).map((one) => [one, w[one]])}
            onPick={choose}
          />
        )}
      </Field>
      {kind === "generated" ? (
        source.kind === "generated" && <SeedField seed={source.seed} onChoose={onGenerated} />
      ) : (
        <div className="source-files">
          <FilesForm reading={reading} onOpen={onFiles} onCancel={onCancel} />
          {source.kind === "files" && reading.state === "idle" && <WhatWasRead {...source} />}
        </div>
      )}
    </>
  );
}

/** What was read from data files, and every kind of row that could not be used. */
function WhatWasRead({ counts, warnings }: Pick<LoadedShop, "counts" | "warnings">) {
  const { rows, products, instructions, goals } = counts;
  const flaws = warnings.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className="load-report" data-testid="load-report">
      <p>{words.files.counts(rows, products, instructions, goals)}</p>
      <p>{flaws === 0 ? words.files.flawless : words.files.flaws(flaws)}</p>
      {warnings.length > 0 && (
        <ul>
          {warnings.map((warning) => (
            <li key={`${warning.problem} ${warning.remedy}`}>{describeWarning(warning)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/**
 * Milliseconds without a key until the seed counts: no shop is generated for a partly typed number.
 */
const SEED_DELAY = 300;

function SeedField({ seed, onChoose }: { seed: number; onChoose: (seed: number) => void }) {
  const [pending, setPending] = useState<string | null>(null);
  const id = useId();
  const next = pending === null ? null : wholeNumber(pending, MAX_CATALOGUE_SEED);
  const choose = useEffectEvent(onChoose);
  useEffect(() => {
    if (next === null) return;
    const timer = setTimeout(() => {
      choose(next);
      setPending(null);
    }, SEED_DELAY);
    return () => clearTimeout(timer);
  }, [next]);
  const wrong = pending !== null && next === null;
  return (
    <div className="field seed">
      <label htmlFor={id} className="field-label">
        {w.seed}
      </label>
      <input
        id={id}
        inputMode="numeric"
        value={pending ?? String(seed)}
        data-testid="catalogue-seed"
        aria-invalid={wrong || undefined}
        aria-describedby={`${id}-problem`}
        onChange={({ target }) => setPending(target.value)}
      />
      <span id={`${id}-problem`} role="status" className="field-problem shop-line">
        {wrong && w.seedProblem(pending)}
      </span>
    </div>
  );
}
