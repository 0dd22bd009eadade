/** The progress of a question, a cancel button, and why one was not answered. */
import type { AskState } from "./useAsking.ts";
import { words } from "./words.ts";
import { Button } from "../../../ui/Button.tsx";

interface AskStatusProps extends AskState {
  cancel: () => void;
  /** Whether its place has no space for a sentence: then a title has it. */
  brief?: boolean;
}

export function AskStatus({ progress, refusal, cancel, brief = false }: AskStatusProps) {
  const said = progress && words.asking(progress.done, progress.total, progress.secondsLeft);
  return (
    <div className="ask-status" role="status">
      {progress && (
        <>
          {progress.total > 0 && (
            <progress value={progress.done} max={progress.total} aria-label={words.waiting} />
          )}
          <span data-testid="ask-progress" title={brief ? said! : undefined}>
            {brief ? words.askingBrief(progress.done, progress.total) : said}
          </span>
          <Button onClick={cancel}>{words.cancel}</Button>
        </>
      )}
      {refusal && (
        <span className="ask-refusal" data-testid="ask-refusal">
          {sentence(refusal)}
        </span>
      )}
    </div>
  );
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
