/** The search text, and the episodes to search. */
import { useState, type FormEvent } from "react";
import type { Fork } from "../../store/forkTypes.ts";
import { useKeyOf } from "../../ui/actionKeys.ts";
import type { EpisodeSettings } from "./useSettings.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckBox, InlineField } from "../../ui/Field.tsx";

interface FindBarProps {
  settings: EpisodeSettings;
  /** To the next or previous row; null if there is none. */
  step: ((by: 1 | -1) => void) | null;
  /** The fork whose episode the cursor is at. */
  fork: Fork | null;
}

export function FindBar({ settings, step, fork }: FindBarProps) {
  return (
    <div className="episodes-bar">
      <SearchForm query={settings.query} find={settings.setQuery} again={() => step?.(1)} />
      <Filters settings={settings} fork={fork} />
      <div className="episodes-step" role="group" aria-label={words.table}>
        <StepButton action="previousFound" name={words.previous} step={step} by={-1} />
        <StepButton action="nextFound" name={words.next} step={step} by={1} />
      </div>
    </div>
  );
}

interface SearchFormProps {
  query: string;
  find: (query: string) => void;
  /** The same search was submitted again. */
  again: () => void;
}

function SearchForm({ query, find, again }: SearchFormProps) {
  const [text, setText] = useState(query);
  const [known, setKnown] = useState(query);
  // A link, or the button that shows all, has changed it.
  if (query !== known) {
    setKnown(query);
    setText(query);
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text === query && query !== "") again();
    else find(text);
  };
  const change = (next: string) => {
    setText(next);
    if (next === "") find("");
  };
  return (
    <form className="episodes-search" role="search" onSubmit={submit}>
      <InlineField
        label={<span className="episodes-label">{words.search}</span>}
        title={words.searchHint}
      >
        <input
          type="search"
          placeholder={words.search}
          data-testid="episodes-search"
          maxLength={200}
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      </InlineField>
      <button type="submit">{words.find}</button>
    </form>
  );
}

function Filters({ settings, fork }: Omit<FindBarProps, "step">) {
  const { scope, outcome, clipped, setScope, setOutcome, setClipped } = settings;
  const here = fork ? { this: words.scopeOfFork(fork.number) } : {};
  const scopes = { ...words.scopes, ...here };
  return (
    <>
      <Choice name={words.scope} value={scope} options={scopes} choose={setScope} />
      <Choice
        name={words.outcomeFilter}
        value={outcome}
        options={words.outcomes}
        choose={setOutcome}
      />
      <CheckBox checked={clipped} onChange={({ target }) => setClipped(target.checked)}>
        {words.clippedOnly}
      </CheckBox>
    </>
  );
}

interface ChoiceProps<T extends string> {
  name: string;
  value: T;
  options: Record<T, string>;
  choose: (value: T) => void;
}

function Choice<T extends string>({ name, value, options, choose }: ChoiceProps<T>) {
  return (
    <InlineField label={<span className="episodes-label">{name}</span>}>
      <select value={value} onChange={({ target }) => choose(target.value as T)}>
        {Object.entries<string>(options).map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </InlineField>
  );
}

interface StepButtonProps {
  /** Its id in the action table. */
  action: string;
  name: string;
  step: FindBarProps["step"];
  by: 1 | -1;
}

function StepButton({ action, name, step, by }: StepButtonProps) {
  const key = useKeyOf()(action);
  return (
    <Button data-action={action} aria-disabled={step === null} onClick={() => step?.(by)}>
      {name} {key && <kbd aria-hidden="true">{key}</kbd>}
    </Button>
  );
}
