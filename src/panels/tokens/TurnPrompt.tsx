/** All that the model read before a turn, for those who unfold it: only then is it made. */
import { lazy, Suspense, useState } from "react";
import type { PromptTextProps } from "./PromptText.tsx";
import { words } from "./words.ts";

const PromptText = lazy(async () => ({ default: (await import("./PromptText.tsx")).PromptText }));

export function TurnPrompt(props: PromptTextProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="tokens-prompt"
      data-testid="tokens-prompt"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{words.prompt(props.turn)}</summary>
      {open && (
        <Suspense fallback={<p className="note">{words.promptOpening}</p>}>
          <PromptText {...props} />
        </Suspense>
      )}
    </details>
  );
}
