/** The button that chooses a model folder, by the browser's own dialog. */
import { useRef } from "react";
import { Button } from "../../../ui/Button.tsx";
import {
  folderPicker,
  modelFolder,
  pickedFolder,
  type ChosenFolder,
} from "../../../store/folderFiles.ts";
import { words } from "./folderWords.ts";
import "./folder.css";

/** React's types lack this attribute. */
const CHOOSES_FOLDERS = { webkitdirectory: "" };

interface ChooseButtonProps {
  label: string;
  look?: "primary";
  onOpen: (folder: ChosenFolder | null) => void;
}

export function ChooseButton({ label, onOpen, ...look }: ChooseButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = async () => {
    const pick = folderPicker();
    if (!pick) return input.current?.click();
    // The reader may think better of it.
    const picked = await pick().catch(() => null);
    if (picked) onOpen(await pickedFolder(picked));
  };
  return (
    <>
      <Button {...look} data-testid="model-choose" onClick={() => void choose()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={words.folder}
        data-testid="model-input"
        {...CHOOSES_FOLDERS}
        onChange={({ currentTarget }) => {
          onOpen(modelFolder([...(currentTarget.files ?? [])]));
          currentTarget.value = "";
        }}
      />
    </>
  );
}
