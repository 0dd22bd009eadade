/** All that the model read before a turn, for those who unfold it: only then is it made. */
import { useState } from "react";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import type { PromptTextProps } from "./PromptText.tsx";
import { words } from "./words.ts";

const PromptText = lazyPart("PromptText", () => import("./PromptText.tsx"), words.promptOpening);

export function TurnPrompt(props: PromptTextProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="tokens-prompt"
      data-testid="tokens-prompt"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{words.prompt(props.turn)}</summary>
      {open && <PromptText {...props} />}
    </details>
  );
}
