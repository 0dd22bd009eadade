/** Beside an experiment that trains a model folder: whether it is at hand, and where to choose it. */
import { useEffect } from "react";
import { useStore } from "zustand";
import { folderName, type FolderSpec } from "../../spec/folder.ts";
import { keepChosenModel, chosenModels } from "../../store/chosenModels.ts";
import { ChooseButton } from "./ChooseButton.tsx";
import { openKept } from "./keptModels.ts";
import { words } from "./words.ts";

export function FolderNotice(folder: FolderSpec) {
  const { hash } = folder;
  const name = folderName(folder);
  const isHere = useStore(chosenModels, (all) => all.has(hash));
  // This browser may keep it.
  useEffect(() => void (isHere || openKept(hash)), [isHere, hash]);
  return (
    <div className="notice" data-testid="model-needed" data-here={isHere}>
      <p>{isHere ? words.train.here(name) : words.train.needed(name, hash.slice(0, 12))}</p>
      <div className="model-choose">
        <ChooseButton
          label={isHere ? words.another : words.choose}
          onOpen={(chosen) => chosen && keepChosenModel(hash, chosen.files)}
        />
      </div>
    </div>
  );
}
