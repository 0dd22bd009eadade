/** Tokens that a model has written or scored, shaded by their probability. */
import { memo } from "react";
import { exp } from "../../numeric/deterministic.ts";
import { formatNumber } from "../../numeric/format.ts";
import type { WeightForm } from "../../model/loadOpened.ts";
import type { SaidToken } from "../../runtime/modelReport.ts";
import { DataTable, type ShortColumn } from "../../ui/DataTable.tsx";
import { Folded } from "../../ui/Folded.tsx";
import type { Utterance } from "./modelState.ts";
import { words } from "./words.ts";

const { talk } = words;

interface SaidTextProps {
  saying: Utterance;
  form: WeightForm;
}

export function SaidText({ saying: { kind, tokens, ended }, form }: SaidTextProps) {
  const isScored = kind === "scoreText";
  const counts = isScored ? tokens.slice(1) : tokens;
  const sum = counts.reduce((nats, { logprob }) => nats + logprob, 0);
  return (
    <div data-testid="model-said">
      <h3>{TITLES[kind]}</h3>
      <p className="model-text" data-testid="model-text">
        <TokenRuns tokens={tokens} />
      </p>
      <p role="status" className="note" data-testid="model-ended">
        {ended && talk.ended(ended, tokens.length, form)}
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

const TITLES: Record<Utterance["kind"], string> = {
  say: talk.answer,
  scoreText: talk.scored,
  scoreTurns: talk.scored,
  compareStored: talk.compared,
};

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

export function TokenRuns({ tokens }: { tokens: readonly SaidToken[] }) {
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
