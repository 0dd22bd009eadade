/** Asks before a preset replaces settings of the reader's own. */
import { useRef } from "react";
import { AlertDialog } from "radix-ui";
import { useStore } from "zustand";
import { listPresets } from "../spec/presets.ts";
import { answerPreset, presetQuestion } from "./presetChoice.ts";
import { appWords } from "./strings.ts";

const words = appWords.replacing;

export function PresetDialog() {
  const { asked } = useStore(presetQuestion);
  const before = useRef<Element | null>(null);
  const title = listPresets().find(({ name }) => name === asked?.name)?.title ?? "";
  return (
    <AlertDialog.Root open={asked !== null} onOpenChange={(open) => open || answerPreset(false)}>
      <AlertDialog.Portal>
        <div className="overlay" />
        <AlertDialog.Content
          className="dialog"
          data-testid="preset-dialog"
          onOpenAutoFocus={() => (before.current = document.activeElement)}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before.current instanceof HTMLElement) before.current.focus();
          }}
        >
          <AlertDialog.Title>{words.title}</AlertDialog.Title>
          <AlertDialog.Description>{words.about(title)}</AlertDialog.Description>
          <div className="buttons">
            <AlertDialog.Cancel asChild>
              <button type="button">{words.keep}</button>
            </AlertDialog.Cancel>
            <button type="button" data-testid="preset-replace" onClick={() => answerPreset(true)}>
              {words.replace}
            </button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
