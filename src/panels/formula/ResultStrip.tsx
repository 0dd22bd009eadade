/** The final results above the formulas that they come from. */
import { isZeroBeside } from "../../numeric/format.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { useNumberFormats } from "../../ui/explained.ts";
import type { BatchPlace } from "./place.ts";
import { isCut, resultsOf, type Result } from "./results.ts";
import { words } from "./words.ts";

interface ResultStripProps {
  place: BatchPlace;
  episode: EpisodeRecord;
}

export function ResultStrip({ place, episode }: ResultStripProps) {
  const cut = isCut(place);
  return (
    <dl className="formula-results" aria-label={words.results.title} data-testid="formula-results">
      {resultsOf(place, episode).map((result) => (
        <div key={result.step} data-result={result.step}>
          <dt>{words.results.names[result.step]}</dt>
          <dd data-sign={signOf(result)}>
            <Value {...result} />
            {result.step === "clip" && cut && (
              <span className="tag tag-clipped">{words.results.clipped}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value, signed }: Result) {
  const { plain, signed: withSign } = useNumberFormats();
  return value === null ? words.unknown : (signed ? withSign : plain)(value);
}

function signOf({ value, signed }: Result): "positive" | "negative" | undefined {
  if (!signed || value === null || isZeroBeside(value)) return undefined;
  return value > 0 ? "positive" : "negative";
}
