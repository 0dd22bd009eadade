/** How much of the browser's storage is used, which runs are kept, and which one is deleted next, shown before it happens. */
import { useEffect, useState } from "react";
import { formatBytes } from "../../numeric/format.ts";
import { titleOf } from "../../reading/titles.ts";
import { notebookOf } from "../../runtime/shelf/claim.ts";
import { isNearlyFull, storageUse, type StorageUse } from "../../runtime/shelf/quota.ts";
import { countOfRuns, SWEEP_LIMITS, sizeOfRun } from "../../runtime/shelf/sweepPlan.ts";
import { Button } from "../../ui/Button.tsx";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { Folded } from "../../ui/Folded.tsx";
import { sizeOfRuns, type Fate, type ListedRun } from "./galleryState.ts";
import { saveKeptFile } from "../saveFile.ts";
import { SaveResult } from "../SaveButtons.tsx";
import { words as all } from "./words.ts";

const words = all.storage;

interface KeptStorageProps {
  use: StorageUse | null;
  runs: readonly ListedRun[];
  /** Deletes a run for good. */
  onDrop: (id: string) => void;
}

export function KeptStorage({ use, runs, onDrop }: KeptStorageProps) {
  const next = runs.filter(({ fate }) => fate.kind === "next").map(nameOf);
  return (
    <section className="kept-storage" data-testid="kept-storage">
      {use && <Use use={use} />}
      {use && <NearlyFull use={use} />}
      {next.length > 0 && (
        <p className="notice notice-stale" role="status" data-testid="runs-leaving">
          {words.next(next.join(", "), next.length)}
        </p>
      )}
      {runs.length > 0 && <Runs runs={runs} onDrop={onDrop} />}
    </section>
  );
}

function Use({ use: { used, most } }: { use: StorageUse }) {
  const text = words.used(formatBytes(used), formatBytes(most));
  return (
    <p className="note" data-testid="storage-use">
      <meter min={0} max={most} value={used} aria-label={text} /> {text}
    </p>
  );
}

function NearlyFull({ use }: { use: StorageUse }) {
  if (!isNearlyFull(use)) return null;
  return (
    <p className="notice notice-problem" role="alert" data-testid="nearly-full">
      {words.nearlyFull(formatBytes(use.used), formatBytes(use.most))}
    </p>
  );
}

/** Only the warning, for a notebook being edited; checked when it is opened. */
export function StorageWarning() {
  const [use, setUse] = useState<StorageUse | null>(null);
  useEffect(() => {
    let current = true;
    void storageUse().then((now) => current && setUse(now));
    return () => void (current = false);
  }, []);
  return use && <NearlyFull use={use} />;
}

function Runs({ runs, onDrop }: Pick<KeptStorageProps, "runs" | "onDrop">) {
  const bytes = formatBytes(sizeOfRuns(runs.map(({ run }) => run)));
  const most = formatBytes(SWEEP_LIMITS.bytes);
  const count = countOfRuns(runs.map(({ run }) => run));
  const title = words.runs(count, SWEEP_LIMITS.runs, bytes, most);
  return (
    <Folded title={title}>
      <p className="note">
        {words.rule(SWEEP_LIMITS.runs, most, SWEEP_LIMITS.days)} {words.often}
      </p>
      <DataTable
        label={title}
        testId="kept-runs"
        columns={columnsOf(onDrop)}
        rows={runs}
        keyOf={({ run }) => run.id}
      />
      <SaveResult />
    </Folded>
  );
}

function columnsOf(onDrop: (id: string) => void): TableColumn<ListedRun>[] {
  return [
    { id: "run", head: words.run, kind: "name", cell: nameOf },
    {
      id: "methods",
      head: words.methods,
      cell: ({ run }) => run.spec.algorithms.map(({ name }) => titleOf(name)).join(", "),
    },
    {
      id: "iterations",
      head: words.iterations,
      kind: "number",
      cell: ({ run }) => words.iteration(run.iteration, run.spec.optimisation.iterations),
    },
    {
      id: "size",
      head: words.size,
      kind: "number",
      cell: ({ run }) => formatBytes(sizeOfRun(run)),
    },
    {
      id: "changed",
      head: words.changed,
      cell: ({ run }) => new Date(run.changed).toLocaleString(),
    },
    { id: "fate", head: words.fate, cell: ({ fate }) => fateInWords(fate) },
    {
      id: "actions",
      head: words.actions,
      cell: (row) => <RunActions row={row} onDrop={() => onDrop(row.run.id)} />,
    },
  ];
}

function RunActions({ row, onDrop }: { row: ListedRun; onDrop: () => void }) {
  const name = nameOf(row);
  return (
    <>
      <Button
        look="quiet"
        aria-label={words.saveOf(name)}
        data-testid="save-kept-run"
        onClick={() => void saveKeptFile(row.run.id)}
      >
        {words.save}
      </Button>
      {row.fate.kind !== "used" && (
        <Button
          look="quiet"
          aria-label={words.removeOf(name)}
          data-testid="drop-run"
          onClick={onDrop}
        >
          {words.remove}
        </Button>
      )}
    </>
  );
}

/** The notebook and the experiment's name in it. */
function nameOf({ run: { place, name }, notebook }: ListedRun): string {
  const isOpening = place.startsWith("#/");
  const title = notebook ?? (isOpening ? words.openingPage : words.elsewhere);
  const lesson = /^#lesson\/([\w-]+)\//.exec(place)?.[1];
  const experiment = name ?? place.slice(place.lastIndexOf("/") + 1);
  return `${notebookOf(place) === null && lesson ? lesson : title} / ${experiment}`;
}

function fateInWords(fate: Fate): string {
  if (fate.kind !== "until") return words.fates[fate.kind];
  return words.fates.until(new Date(fate.time).toLocaleDateString());
}
