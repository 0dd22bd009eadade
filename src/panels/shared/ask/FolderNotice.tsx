/** Beside what needs a model folder of the reader's own: whether it is at hand, and where to choose it. */
import { useEffect } from "react";
import { useStore } from "zustand";
import { folderName, type FolderSpec } from "../../../spec/folder.ts";
import { keepChosenModel, chosenModels } from "../../../store/chosenModels.ts";
import { openKept } from "../../../store/keptModels.ts";
import { ChooseButton } from "./ChooseButton.tsx";
import { words } from "./folderWords.ts";

interface FolderNoticeProps {
  folder: FolderSpec;
  /** What it is needed for. */
  use: "train" | "ask";
}

export function FolderNotice({ folder, use }: FolderNoticeProps) {
  const { hash } = folder;
  const name = folderName(folder);
  const isHere = useStore(chosenModels, (all) => all.has(hash));
  // This browser may keep it.
  useEffect(() => void (isHere || openKept(hash)), [isHere, hash]);
  const { here, needed } = words[use];
  return (
    <div className="notice" data-testid="model-needed" data-here={isHere}>
      <p>{isHere ? here(name) : needed(name, hash.slice(0, 12))}</p>
      <div className="model-choose">
        <ChooseButton
          label={isHere ? words.another : words.choose}
          onOpen={(chosen) => chosen && keepChosenModel(hash, chosen.files)}
        />
      </div>
    </div>
  );
}
