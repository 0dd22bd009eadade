/** File input: dropped anywhere on the page, or selected; hidden inputs serve buttons and keys. */
import { useEffect, useEffectEvent, useState } from "react";
import type { ExperimentHandle } from "../store/hooks.ts";
import { importFiles } from "../store/imports.ts";
import { droppedEntries } from "./droppedEntries.ts";
import { words } from "./importWords.ts";

const INPUT = "import-input";
const FOLDER = "import-folder";

/** The browser's own dialog; it opens only after a click or a key press. */
export function chooseFiles(): void {
  document.getElementById(INPUT)?.click();
}

export function chooseFolder(): void {
  document.getElementById(FOLDER)?.click();
}

/** React's types lack this attribute. */
const CHOOSES_FOLDERS = { webkitdirectory: "" };

export function ImportDrop({ experiment }: { experiment: ExperimentHandle }) {
  const over = useDrop((data) => takeDropped(experiment, data));
  useEffect(() => {
    if (new URLSearchParams(location.search).has("watch"))
      void import("./watchedFolder.ts").then(({ followWatched }) => followWatched(experiment));
  }, [experiment]);
  return (
    <>
      <Input
        id={INPUT}
        label={words.choose}
        accept=".zip,.jsonl,.json,.ndjson,.csv,.tsv,.txt,.gz,.zst,.eval,.parquet,.pkl,.pickle,.pt,application/json"
        onChoose={(files) => importFiles(experiment, files)}
      />
      <Input
        id={FOLDER}
        label={words.chooseFolder}
        {...CHOOSES_FOLDERS}
        onChoose={(files) =>
          void folders().then((take) => take.takeChosenFolder(experiment, files))
        }
      />
      {over && (
        <div className="import-drop" aria-hidden="true">
          <p>{words.drop}</p>
        </div>
      )}
    </>
  );
}

/** Loaded with the first folder. */
const folders = () => import("./takeFolder.ts");

/** Dropped items can be read only while the event is handled. */
function takeDropped(experiment: ExperimentHandle, data: DataTransfer): void {
  const entries = droppedEntries(data);
  if (!entries) importFiles(experiment, [...data.files]);
  else void folders().then((take) => take.takeDroppedFolder(experiment, entries));
}

interface InputProps {
  id: string;
  label: string;
  accept?: string;
  onChoose: (files: File[]) => void;
}

function Input({ label, onChoose, ...rest }: InputProps) {
  return (
    <input
      type="file"
      multiple
      hidden
      aria-label={label}
      onChange={({ currentTarget }) => {
        onChoose([...(currentTarget.files ?? [])]);
        // So that the same file can be selected again.
        currentTarget.value = "";
      }}
      {...rest}
    />
  );
}

/** Whether files are being dragged over the page; dropped items are passed to `take`. */
function useDrop(take: (data: DataTransfer) => void): boolean {
  const [over, setOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    // Without this the browser would navigate to the file.
    event.preventDefault();
    const left = event.type === "dragleave" && event.relatedTarget === null;
    setOver(event.type !== "drop" && !left);
    if (event.type === "drop") take(event.dataTransfer);
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
