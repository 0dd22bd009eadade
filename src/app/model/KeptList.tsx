/** The model folders that this browser keeps: opened or deleted. */
import { useEffect } from "react";
import { useStore } from "zustand";
import { formatBytes } from "../../numeric/format.ts";
import type { FolderFacts } from "../../runtime/modelReport.ts";
import type { KeptModel } from "../../runtime/shelf/modelFiles.ts";
import { chosenModels } from "../../store/chosenModels.ts";
import { Button } from "../../ui/Button.tsx";
import { DataTable, type ShortColumn } from "../../ui/DataTable.tsx";
import {
  dropModel,
  keepModel,
  keptModels,
  listKept,
  openKept,
  type NamedFiles,
} from "../../store/keptModels.ts";
import { words } from "./words.ts";

const { kept } = words;

export function KeptList({ onOpen }: { onOpen: (folder: NamedFiles) => void }) {
  const { models, problem } = useStore(keptModels);
  useEffect(() => void listKept(), []);
  const open = async ({ hash, name }: KeptModel) => {
    const files = await openKept(hash);
    if (files) onOpen({ name, files });
    else await listKept();
  };
  const columns: readonly ShortColumn<KeptModel>[] = [
    [kept.name, ({ name }) => name, "name"],
    [words.facts.bytes, ({ bytes }) => formatBytes(bytes), "number"],
    [words.facts.hash, ({ hash }) => <code>{hash.slice(0, 12)}</code>],
    [
      kept.actions,
      (model) => (
        <span className="model-choose">
          <Button onClick={() => void open(model)}>{kept.open(model.name)}</Button>
          <Button onClick={() => void dropModel(model.hash)}>{kept.drop(model.name)}</Button>
        </span>
      ),
    ],
  ];
  return (
    <>
      {problem !== null && (
        <p role="alert" className="field-problem" data-testid="model-not-kept">
          {kept.failed(problem)}
        </p>
      )}
      {models.length > 0 && (
        <DataTable
          label={kept.title}
          className="figures"
          columns={columns}
          rows={models}
          keyOf={({ hash }) => hash}
          testId="model-kept"
        />
      )}
    </>
  );
}

/** Keeps the files of the open folder that its hash counts, unless they are kept. */
export function KeepButton({ hash, folder }: { hash: string; folder: FolderFacts }) {
  const { models, copying } = useStore(keptModels);
  const chosen = useStore(chosenModels, (all) => all.get(hash));
  if (models.some((model) => model.hash === hash)) return <p className="note">{kept.isKept}</p>;
  const keep = () => {
    const counted = folder.files.map(({ name }) => [name, chosen!.get(name)!] as const);
    void keepModel(hash, { name: folder.name, files: new Map(counted) });
  };
  return (
    <div className="buttons">
      <Button disabled={copying !== null || !chosen} data-testid="model-keep" onClick={keep}>
        {copying === null ? kept.keep : kept.copying(copying)}
      </Button>
    </div>
  );
}
