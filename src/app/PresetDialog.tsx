/** Asks before a preset replaces the reader's own settings. */
import { useStore } from "zustand";
import { listPresets } from "../spec/presets.ts";
import { Confirm } from "../ui/Confirm.tsx";
import { answerPreset, presetQuestion } from "./presetChoice.ts";
import { appWords } from "./strings.ts";
import { Button } from "../ui/Button.tsx";

const words = appWords.replacing;

export function PresetDialog() {
  const { asked } = useStore(presetQuestion);
  const title = listPresets().find(({ name }) => name === asked?.name)?.title ?? "";
  return (
    <Confirm
      open={asked !== null}
      onKeep={() => answerPreset(false)}
      title={words.title}
      about={words.about(title)}
      keep={words.keep}
      testId="preset-dialog"
    >
      <Button data-testid="preset-replace" onClick={() => answerPreset(true)}>
        {words.replace}
      </Button>
    </Confirm>
  );
}
