/** A loaded model writes after a prompt, or scores one; each token with its probability. */
import { useState } from "react";
import type { WeightForm } from "../../model/loadOpened.ts";
import type { FolderFacts, Prompt } from "../../runtime/modelReport.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckBox, Field } from "../../ui/Field.tsx";
import type { ModelSession, Utterance } from "./modelState.ts";
import { SaidText } from "./SaidTokens.tsx";
import { words } from "./words.ts";

const { talk } = words;

interface TalkPanelProps {
  folder: FolderFacts;
  session: ModelSession;
  saying: Utterance | null;
  isBusy: boolean;
  /** Of the loaded weights. */
  form: WeightForm;
}

/** As typed. */
const FIRST = { temperature: "0.7", topP: "0.9", maxTokens: "128", seed: "1" };

const NUMBERS = [
  { key: "temperature", label: talk.temperature, hint: talk.temperatureHint, min: 0, max: 10 },
  { key: "topP", label: talk.topP, hint: talk.topPHint, min: 0.01, max: 1 },
  { key: "maxTokens", label: talk.tokens, hint: "", min: 1, max: 32768 },
  { key: "seed", label: talk.seed, hint: "", min: 0, max: 2 ** 31 - 1 },
] as const;

/** What the form holds, as typed. */
interface Typed {
  prompt: string;
  system: string;
  chats: boolean;
  thinks: boolean;
  numbers: typeof FIRST;
}

const untyped = ({ hasTemplate }: FolderFacts): Typed => ({
  prompt: "",
  system: "",
  chats: hasTemplate,
  thinks: false,
  numbers: FIRST,
});

export function TalkPanel({ folder, session, saying, isBusy, form }: TalkPanelProps) {
  const [typed, setTyped] = useState(() => untyped(folder));
  const { numbers } = typed;
  const isWrong = typed.prompt === "" || NUMBERS.some((one) => problemOf(numbers, one));
  const sample = () => {
    const value = (key: keyof typeof FIRST) => Number(numbers[key]);
    const [temperature, topP] = [value("temperature"), value("topP")];
    const [maxTokens, seed] = [value("maxTokens"), value("seed")];
    session.say({ prompt: promptOf(typed, folder), temperature, topP, maxTokens, seed });
  };
  const change = (news: Partial<Typed>) => setTyped({ ...typed, ...news });
  return (
    <section className="panel" aria-labelledby="model-talk" data-testid="model-talk">
      <h2 id="model-talk">{talk.title}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && !isWrong) sample();
        }}
      >
        <PromptFields typed={typed} folder={folder} change={change} />
        <NumberFields typed={typed} change={change} />
        <div className="buttons">
          <Button
            type="submit"
            look="primary"
            disabled={isBusy || isWrong}
            data-testid="model-sample"
          >
            {talk.sample}
          </Button>
          <Button
            disabled={isBusy || isWrong}
            data-testid="model-score"
            onClick={() => session.score(promptOf(typed, folder))}
          >
            {talk.score}
          </Button>
          {form !== "stored" && (
            <Button
              disabled={isBusy || isWrong}
              title={talk.compareHint}
              data-testid="model-compare"
              onClick={() => session.compare(promptOf(typed, folder))}
            >
              {talk.compare}
            </Button>
          )}
          <Button disabled={!isBusy} data-testid="model-stop" onClick={session.hush}>
            {talk.stop}
          </Button>
        </div>
      </form>
      {saying && saying.kind !== "scoreTurns" && <SaidText saying={saying} form={form} />}
    </section>
  );
}

function promptOf({ prompt, system, chats, thinks }: Typed, folder: FolderFacts): Prompt {
  if (!chats) return { text: prompt };
  const first = system === "" ? [] : [{ role: "system", content: system } as const];
  const messages = [...first, { role: "user", content: prompt } as const];
  return { messages, ...(folder.hasThinking && { thinks }) };
}

interface FieldsProps {
  typed: Typed;
  change: (news: Partial<Typed>) => void;
}

function PromptFields({ typed, folder, change }: FieldsProps & { folder: FolderFacts }) {
  const { prompt, system, chats, thinks } = typed;
  return (
    <>
      <Field label={talk.prompt}>
        {(control) => (
          <textarea
            {...control}
            rows={4}
            data-testid="model-prompt"
            value={prompt}
            onChange={({ target }) => change({ prompt: target.value })}
          />
        )}
      </Field>
      {chats && (
        <Field label={talk.system} hint={talk.systemHint}>
          {(control) => (
            <input
              {...control}
              value={system}
              onChange={({ target }) => change({ system: target.value })}
            />
          )}
        </Field>
      )}
      <div className="model-checks">
        {folder.hasTemplate && (
          <CheckBox checked={chats} onChange={({ target }) => change({ chats: target.checked })}>
            {talk.asChat}
          </CheckBox>
        )}
        {folder.hasThinking && chats && (
          <CheckBox checked={thinks} onChange={({ target }) => change({ thinks: target.checked })}>
            {talk.thinks}
          </CheckBox>
        )}
      </div>
    </>
  );
}

function NumberFields({ typed: { numbers }, change }: FieldsProps) {
  return (
    <div className="fields">
      {NUMBERS.map((one) => (
        <Field key={one.key} label={one.label} hint={one.hint} problem={problemOf(numbers, one)}>
          {(control) => (
            <input
              {...control}
              inputMode="decimal"
              data-testid={`model-${one.key}`}
              value={numbers[one.key]}
              onChange={({ target }) =>
                change({ numbers: { ...numbers, [one.key]: target.value } })
              }
            />
          )}
        </Field>
      ))}
    </div>
  );
}

/** What is wrong with a number as typed; undefined if nothing is. */
function problemOf(
  numbers: typeof FIRST,
  { key, min, max }: (typeof NUMBERS)[number],
): string | undefined {
  const text = numbers[key].trim();
  const value = text === "" ? NaN : Number(text);
  const isWhole = key === "maxTokens" || key === "seed";
  if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return undefined;
  return `It must be ${isWhole ? "a whole number" : "a number"} from ${min} to ${max}.`;
}
