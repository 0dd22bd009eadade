/** Shows code that came from elsewhere, and asks before any of it runs. */
import { useRef } from "react";
import { AlertDialog } from "radix-ui";
import { useStore } from "zustand";
import { codeConsent, type CodePiece } from "../store/codeConsent.ts";
import { CodeSource } from "./CodeSource.tsx";
import { appWords } from "./strings.ts";

const words = appWords.code;

export function CodeDialog() {
  const asked = useStore(codeConsent, (state) => state.asked);
  const before = useRef<Element | null>(null);
  return (
    <AlertDialog.Root open={asked !== null} onOpenChange={(open) => open || asked?.answer(false)}>
      <AlertDialog.Portal>
        <div className="overlay" />
        <AlertDialog.Content
          className="dialog code-dialog"
          data-testid="code-dialog"
          onOpenAutoFocus={() => (before.current = document.activeElement)}
          onCloseAutoFocus={(event) => {
            // A key may have opened it: Radix knows of no button to go back to.
            event.preventDefault();
            if (before.current instanceof HTMLElement) before.current.focus();
          }}
        >
          <AlertDialog.Title>{words.title}</AlertDialog.Title>
          <AlertDialog.Description>{words.about}</AlertDialog.Description>
          <Pieces pieces={asked?.pieces ?? []} />
          <div className="buttons">
            <AlertDialog.Cancel asChild>
              <button type="button">{words.refuse}</button>
            </AlertDialog.Cancel>
            <button type="button" data-testid="code-allow" onClick={() => asked?.answer(true)}>
              {words.allow}
            </button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** All of it, so that nothing runs unseen. */
function Pieces({ pieces }: { pieces: readonly CodePiece[] }) {
  return (
    <div className="code-pieces">
      {pieces.map(({ title, source }, i) => (
        <section key={i}>
          <h3>{title}</h3>
          <CodeSource text={source} label={`${words.source}: ${title}`} />
        </section>
      ))}
    </div>
  );
}
