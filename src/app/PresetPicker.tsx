/** The chosen preset with its description and duration, and all others as cards. */
import { useState } from "react";
import { useStore } from "zustand";
import { Badge } from "../ui/Badge.tsx";
import { descriptors } from "../env/descriptors.ts";
import { classPresetNames, listPresets, presetSpec } from "../spec/presets.ts";
import { useExperiment } from "../store/hooks.ts";
import { measuredTimes, type MeasuredTimes } from "../store/measuredTimes.ts";
import type { SpecDraft } from "../store/specDraft.ts";
import { askForPreset, hasOwnSettings } from "./presetChoice.ts";
import { presetTime, roughly } from "./presetTime.ts";
import { MACHINE_HASH } from "./route.ts";
import { appWords } from "./strings.ts";
import { Button } from "../ui/Button.tsx";

const words = appWords.presets;

type PresetWords = ReturnType<typeof listPresets>[number];

const presets = listPresets();

/** By environment; runs that collapse on purpose come last. */
const groups: readonly { title: string; presets: readonly PresetWords[] }[] = [
  // User-defined environments have no preset.
  ...descriptors
    .filter(({ kind }) => presets.some(({ name }) => kindOf(name) === kind))
    .map(({ kind, title }) => ({
      title,
      presets: presets.filter(({ name }) => isClass(name) && kindOf(name) === kind),
    })),
  { title: words.collapses, presets: presets.filter(({ name }) => !isClass(name)) },
];

function isClass(name: string): boolean {
  return classPresetNames.includes(name);
}

function kindOf(name: string): string {
  return presetSpec(name).environment.kind;
}

export function PresetPicker({ draft }: { draft: SpecDraft }) {
  const { times } = useStore(measuredTimes);
  const [open, setOpen] = useState(false);
  const { preset } = draft.spec;
  const chosen = presets.find(({ name }) => name === preset)!;
  return (
    <div className="preset" data-testid="preset" data-preset={preset}>
      <p className="preset-now">
        <span className="field-label">{appWords.preset}</span>
        <strong>{chosen.title}</strong>
        {hasOwnSettings(draft) ? (
          <Badge title={words.ownHint}>{words.own}</Badge>
        ) : (
          <span className="preset-time">{timeWords(preset, times)}</span>
        )}
      </p>
      <p className="note">{chosen.about}</p>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary data-testid="presets">{words.choose}</summary>
        {open && <Cards chosen={preset} times={times} onChosen={() => setOpen(false)} />}
      </details>
    </div>
  );
}

interface CardsProps {
  chosen: string;
  times: MeasuredTimes | null;
  onChosen: () => void;
}

function Cards({ chosen, times, onChosen }: CardsProps) {
  const { store } = useExperiment();
  return (
    <>
      {groups.map(({ title, presets: some }) => (
        <section key={title} aria-label={title} className="preset-group">
          <h4>{title}</h4>
          <ul className="preset-cards">
            {some.map(({ name, title: card, about }) => (
              <li key={name}>
                <Button
                  aria-pressed={name === chosen}
                  data-testid={`preset-${name}`}
                  onClick={() => {
                    onChosen();
                    askForPreset(store, name);
                  }}
                >
                  <strong>{card}</strong>
                  <span>{about}</span>
                  <span className="preset-time">{timeWords(name, times)}</span>
                </Button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {!times && (
        <p className="note">
          {words.estimateNote} <a href={MACHINE_HASH}>{words.measure}</a>
        </p>
      )}
    </>
  );
}

function timeWords(name: string, times: MeasuredTimes | null): string {
  const time = presetTime(name, times);
  if (!time) return "";
  const duration = roughly(time.seconds);
  return time.engine === null ? words.estimated(duration) : words.measured(duration, time.engine);
}
