/** Where files come in: dropped anywhere on the page, or chosen; a hidden input is there for buttons and keys. */
import { useEffect, useEffectEvent, useState } from "react";
import type { Experiment } from "../store/hooks.ts";
import { importFiles } from "../store/imports.ts";
import { words } from "./importWords.ts";

const INPUT = "import-input";

/** The browser's own dialog; it opens for a click or a key press only. */
export function chooseFiles(): void {
  document.getElementById(INPUT)?.click();
}

export function ImportDrop({ experiment }: { experiment: Experiment }) {
  const take = (files: FileList | null) => importFiles(experiment, [...(files ?? [])]);
  const over = useDrop(take);
  return (
    <>
      <input
        id={INPUT}
        type="file"
        multiple
        hidden
        aria-label={words.choose}
        accept=".jsonl,.json,.ndjson,.txt,application/json"
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          // The same file may be chosen again.
          currentTarget.value = "";
        }}
      />
      {over && (
        <div className="import-drop" aria-hidden="true">
          <p>{words.drop}</p>
        </div>
      )}
    </>
  );
}

/** Whether files are held over the page; what is dropped goes to `take`. */
function useDrop(take: (files: FileList | null) => void): boolean {
  const [over, setOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    // Without this the browser would leave the page for the file.
    event.preventDefault();
    const left = event.type === "dragleave" && event.relatedTarget === null;
    setOver(event.type !== "drop" && !left);
    if (event.type === "drop") take(event.dataTransfer.files);
  });
  useEffect(() => {
    const listener = (event: DragEvent) => onDrag(event);
    for (const type of DRAGS) window.addEventListener(type, listener);
    return () => {
      for (const type of DRAGS) window.removeEventListener(type, listener);
    };
  }, []);
  return over;
}

const DRAGS = ["dragover", "dragleave", "drop"] as const;
