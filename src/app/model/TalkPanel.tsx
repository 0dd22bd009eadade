/** A loaded model writes after a prompt, or scores one; each token with its probability. */
import { memo, useState } from "react";
import { exp } from "../../numeric/deterministic.ts";
import { formatNumber } from "../../numeric/format.ts";
import type { FolderFacts, Prompt, SaidToken } from "../../runtime/modelReport.ts";
import { Button } from "../../ui/Button.tsx";
import { DataTable, type ShortColumn } from "../../ui/DataTable.tsx";
import { CheckBox, Field } from "../../ui/Field.tsx";
import { Folded } from "../../ui/Folded.tsx";
import type { ModelSession, Saying } from "./modelState.ts";
import { words } from "./words.ts";

const { talk } = words;

interface TalkPanelProps {
  folder: FolderFacts;
  session: ModelSession;
  saying: Saying | null;
  isBusy: boolean;
}

/** As typed. */
const FIRST = { temperature: "0.7", topP: "0.9", maxTokens: "128", seed: "1" };

const NUMBERS = [
  { key: "temperature", label: talk.temperature, hint: talk.temperatureHint, min: 0, max: 10 },
  { key: "topP", label: talk.topP, hint: talk.topPHint, min: 0.01, max: 1 },
  { key: "maxTokens", label: talk.tokens, hint: "", min: 1, max: 32768 },
  { key: "seed", label: talk.seed, hint: "", min: 0, max: 2 ** 31 - 1 },
] as const;

export function TalkPanel({ folder, session, saying, isBusy }: TalkPanelProps) {
  const [prompt, setPrompt] = useState("");
  const [system, setSystem] = useState("");
  const [chats, setChats] = useState(folder.hasTemplate);
  const [thinks, setThinks] = useState(false);
  const [texts, setTexts] = useState(FIRST);
  const problems = NUMBERS.map(({ key, min, max }) => problemOf(texts[key], key, min, max));
  const isWrong = prompt === "" || problems.some((problem) => problem !== undefined);
  const asked: Prompt = chats
    ? {
        messages: [
          ...(system === "" ? [] : [{ role: "system", content: system } as const]),
          { role: "user", content: prompt },
        ],
        ...(folder.hasThinking && { thinks }),
      }
    : { text: prompt };
  const sample = () => {
    const [temperature, topP, maxTokens, seed] = NUMBERS.map(({ key }) => Number(texts[key]));
    session.say({
      prompt: asked,
      temperature: temperature!,
      topP: topP!,
      maxTokens: maxTokens!,
      seed: seed!,
    });
  };
  return (
    <section className="panel" aria-labelledby="model-talk" data-testid="model-talk">
      <h2 id="model-talk">{talk.title}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && !isWrong) sample();
        }}
      >
        <Field label={talk.prompt}>
          {(control) => (
            <textarea
              {...control}
              rows={4}
              data-testid="model-prompt"
              value={prompt}
              onChange={({ target }) => setPrompt(target.value)}
            />
          )}
        </Field>
        {chats && (
          <Field label={talk.system} hint={talk.systemHint}>
            {(control) => (
              <input
                {...control}
                value={system}
                onChange={({ target }) => setSystem(target.value)}
              />
            )}
          </Field>
        )}
        <div className="model-checks">
          {folder.hasTemplate && (
            <CheckBox
              checked={chats}
              data-testid="model-chats"
              onChange={({ target }) => setChats(target.checked)}
            >
              {talk.asChat}
            </CheckBox>
          )}
          {folder.hasThinking && chats && (
            <CheckBox
              checked={thinks}
              data-testid="model-thinks"
              onChange={({ target }) => setThinks(target.checked)}
            >
              {talk.thinks}
            </CheckBox>
          )}
        </div>
        <div className="fields">
          {NUMBERS.map(({ key, label, hint }, i) => (
            <Field key={key} label={label} hint={hint} problem={problems[i]}>
              {(control) => (
                <input
                  {...control}
                  inputMode="decimal"
                  data-testid={`model-${key}`}
                  value={texts[key]}
                  onChange={({ target }) => setTexts({ ...texts, [key]: target.value })}
                />
              )}
            </Field>
          ))}
        </div>
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
            onClick={() => session.score(asked)}
          >
            {talk.score}
          </Button>
          <Button disabled={!isBusy} data-testid="model-stop" onClick={session.hush}>
            {talk.stop}
          </Button>
        </div>
      </form>
      {saying && <Said saying={saying} />}
    </section>
  );
}

/** What is wrong with a number as typed; undefined if nothing is. */
function problemOf(text: string, key: string, min: number, max: number): string | undefined {
  const value = text.trim() === "" ? NaN : Number(text);
  const isWhole = key === "maxTokens" || key === "seed";
  if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return undefined;
  return `It must be ${isWhole ? "a whole number" : "a number"} from ${min} to ${max}.`;
}

function Said({ saying: { kind, tokens, ended } }: { saying: Saying }) {
  const isScored = kind === "scoreText";
  const counts = isScored ? tokens.slice(1) : tokens;
  const sum = counts.reduce((nats, { logprob }) => nats + logprob, 0);
  return (
    <div data-testid="model-said">
      <h3>{isScored ? talk.scored : talk.answer}</h3>
      <p className="model-text" data-testid="model-text">
        <Runs tokens={tokens} />
      </p>
      <p role="status" className="note" data-testid="model-ended">
        {ended && talk.ended(ended, tokens.length)}
      </p>
      {ended && counts.length > 0 && (
        <>
          <p className="note">{`${talk.sum(sum, counts.length)} ${talk.shade}`}</p>
          <Folded title={talk.table} testId="model-tokens">
            <DataTable
              label={talk.table}
              className="figures"
              columns={isScored ? [...TOKENS, ENTROPY] : TOKENS}
              rows={tokens}
              keyOf={(_, i) => i}
            />
          </Folded>
        </>
      )}
    </div>
  );
}

const TOKENS: readonly ShortColumn<SaidToken>[] = [
  [talk.token, ({ text }) => <code>{JSON.stringify(text)}</code>, "name"],
  [talk.id, ({ id }) => id, "number"],
  [talk.logprob, ({ logprob }) => logprob.toFixed(4), "number"],
  [talk.probability, ({ logprob }) => formatNumber(exp(logprob)), "number"],
];

const ENTROPY: ShortColumn<SaidToken> = [
  talk.entropy,
  ({ entropy }) => (entropy === undefined ? "–" : entropy.toFixed(4)),
  "number",
];

/** Tokens that are drawn again together while others come. */
const RUN = 64;

function Runs({ tokens }: { tokens: readonly SaidToken[] }) {
  const starts = Array.from({ length: Math.ceil(tokens.length / RUN) }, (_, i) => i * RUN);
  return starts.map((start) => <Run key={start} tokens={tokens.slice(start, start + RUN)} />);
}

const Run = memo(
  function Run({ tokens }: { tokens: readonly SaidToken[] }) {
    return tokens.map(({ text, logprob }, i) => (
      <span key={i} style={shade(logprob)}>
        {text}
      </span>
    ));
  },
  (before, now) => before.tokens[0] === now.tokens[0] && before.tokens.length === now.tokens.length,
);

/** Ink behind a token, at most a quarter of it, at a probability of 1 in 150. */
function shade(logprob: number) {
  const percent = Math.round(25 * Math.min(1, -logprob / 5));
  return { background: `color-mix(in srgb, var(--ink) ${percent}%, transparent)` };
}
