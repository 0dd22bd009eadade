/** The episode at the lens's cursor, scored turn by turn by the model at hand. */
import { formatSignedFixed } from "../../numeric/format.ts";
import { useCursor } from "../../panels/shared/useCursor.ts";
import { confidenceOf } from "../../reading/confidence.ts";
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import type { SaidToken, TurnToScore } from "../../runtime/modelReport.ts";
import type { Message } from "../../text/chatTemplate.ts";
import { Button } from "../../ui/Button.tsx";
import { DataTable, type ShortColumn } from "../../ui/DataTable.tsx";
import { Folded } from "../../ui/Folded.tsx";
import type { ModelSession, Utterance } from "./modelState.ts";
import { TokenRuns } from "./SaidTokens.tsx";
import { words } from "./words.ts";

const text = words.episode;

interface EpisodePanelProps {
  session: ModelSession;
  saying: Utterance | null;
  isBusy: boolean;
}

export function EpisodePanel({ session, saying, isBusy }: EpisodePanelProps) {
  const { episode } = useCursor();
  const turns = episode?.turns ?? [];
  const isScored = saying?.kind === "scoreTurns";
  return (
    <section className="panel" aria-labelledby="model-episode" data-testid="model-episode">
      <h2 id="model-episode">{text.title}</h2>
      <p>{episode ? text.which(episode.task, turns.length) : text.none}</p>
      <div className="buttons">
        <Button
          disabled={isBusy || turns.length === 0}
          data-testid="model-score-episode"
          onClick={() => session.scoreTurns(turnsToScore(turns))}
        >
          {text.score}
        </Button>
      </div>
      {isScored && episode && <Scored saying={saying} episode={episode} />}
    </section>
  );
}

/** Each with all turns before it: what the environment showed is the user's message. */
function turnsToScore(turns: readonly TurnRecord[]): TurnToScore[] {
  const before: Message[] = [];
  return turns.map(({ observation, text: response }) => {
    const asked: Message = { role: "user", content: observation };
    const messages = [...before, asked];
    before.push(asked, { role: "assistant", content: response });
    return { messages, response };
  });
}

interface TurnScore {
  turn: number;
  tokens: SaidToken[];
  /** Of the whole turn, in nats. */
  logprob: number;
  confidence: number | null;
  entropy: number;
  /** The file's, if it has one for each token. */
  sampler: number | null;
}

function scoresOf(tokens: readonly SaidToken[], { turns }: EpisodeRecord): TurnScore[] {
  return turns.flatMap(({ tokens: recorded }, turn) => {
    const own = tokens.filter((token) => token.turn === turn);
    if (own.length === 0) return [];
    const logprobs = own.map((token) => token.logprob);
    const [logprob, confidence] = [sum(logprobs), confidenceOf(logprobs)];
    const entropy = sum(own.map((token) => token.entropy ?? 0)) / own.length;
    const sampled = recorded.map((token) => token.rolloutLogprob ?? token.oldLogprob);
    const isKnown = sampled.length > 0 && sampled.every(Number.isFinite);
    return [
      { turn, tokens: own, logprob, confidence, entropy, sampler: isKnown ? sum(sampled) : null },
    ];
  });
}

const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0);

const COLUMNS: readonly ShortColumn<TurnScore>[] = [
  [text.turn, ({ turn }) => turn + 1, "name"],
  [text.tokens, ({ tokens }) => tokens.length, "number"],
  [text.logprob, ({ logprob }) => logprob.toFixed(3), "number"],
  [text.confidence, ({ confidence }) => confidence?.toFixed(3) ?? "–", "number"],
  [text.entropy, ({ entropy }) => entropy.toFixed(3), "number"],
  [text.sampler, ({ sampler }) => (sampler === null ? "–" : sampler.toFixed(3)), "number"],
  [
    text.difference,
    ({ logprob, sampler }) => (sampler === null ? "–" : formatSignedFixed(logprob - sampler, 3)),
    "number",
  ],
];

function Scored({ saying, episode }: { saying: Utterance; episode: EpisodeRecord }) {
  const rows = scoresOf(saying.tokens, episode);
  return (
    <>
      <DataTable
        label={text.title}
        className="figures"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ turn }) => turn}
        testId="model-turns"
      />
      <p className="note">{text.note}</p>
      <Folded title={text.texts}>
        {rows.map(({ turn, tokens }) => (
          <p key={turn} className="model-text">
            <TokenRuns tokens={tokens} />
          </p>
        ))}
      </Folded>
    </>
  );
}
