/** File input: dropped anywhere on the page, or selected; hidden inputs serve buttons and keys. */
import { useEffect, useEffectEvent, useState } from "react";
import { words as importing } from "../interchange/import/words.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import { following } from "../store/followFiles.ts";
import { filePath, type StartImport } from "../store/importFiles.ts";
import { importFiles, refuseImport } from "../store/imports.ts";
import {
  droppedEntries,
  filesOf,
  holdsModelAlone,
  MOST_FILES,
  packedAmong,
  runFiles,
} from "./importFolder.ts";
import { words } from "./importWords.ts";
import { MODEL_HASH } from "./route.ts";
import { followWatched } from "./watchedFolder.ts";

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
  const over = useDrop((data) => void takeDropped(experiment, data));
  useEffect(() => followWatched(experiment), [experiment]);
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
        onChoose={(files) => {
          // Browsers without folder support let the reader select files.
          if (!files[0]) return;
          const read = runFiles(files);
          const left = packedAmong(files.map(filePath), read);
          takeFolder(experiment, filePath(files[0]).split("/")[0]!, read, left);
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

/** Dropped items can be read only while the event is handled. */
async function takeDropped(experiment: ExperimentHandle, data: DataTransfer): Promise<void> {
  const entries = droppedEntries(data);
  if (!entries) return importFiles(experiment, [...data.files]);
  const { name } = entries.find(({ isDirectory }) => isDirectory)!;
  try {
    const left: string[] = [];
    const files = await filesOf(entries, (path) => left.push(path));
    // Its entries say what is in it at any later time, too.
    const start = following(() => filesOf(entries));
    takeFolder(experiment, name, files, packedAmong(left, files), start);
  } catch {
    refuse(name, importing.refused.folder);
  }
}

/** @param left paths in it of files that may contain episodes, but are compressed or binary */
function takeFolder(
  experiment: ExperimentHandle,
  name: string,
  files: File[],
  left: readonly string[],
  start?: StartImport,
): void {
  if (files.length > MOST_FILES) refuse(name, importing.refused.many(MOST_FILES));
  else if (holdsModelAlone(files)) refuse(name, importing.refused.model, MODEL_HASH);
  else if (files.length === 0)
    refuse(name, left.length > 0 ? importing.refused.packed(left) : importing.refused.bare);
  else importFiles(experiment, files, start, left);
}

/** @param href where the reader finds what to do */
function refuse(name: string, [why, action]: readonly [string, string], href?: string): void {
  refuseImport(name, { why, action, ...(href !== undefined && { href }) });
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
