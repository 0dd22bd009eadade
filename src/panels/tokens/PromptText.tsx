/**
 * A prompt token by token: the environment's in grey, the model's own from earlier turns in a
 * frame.
 */
import { memo, useMemo, useState, useSyncExternalStore } from "react";
import { estimatesAnswered, onEstimate } from "../../reading/credit/estimates.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import type { PromptPart } from "../../runtime/questions.ts";
import { LiveModel } from "../shared/ask/LiveModel.tsx";
import { AskStatus } from "../shared/ask/AskStatus.tsx";
import { useAsking } from "../shared/ask/useAsking.ts";
import { useExperiment } from "../../store/hooks.ts";
import { useShopMade } from "../shared/shop/useShopMade.ts";
import { countsOf, firstOf, promptOf } from "../../figures/tokens/prompt.ts";
import { visibleToken } from "../../figures/tokens/shownTokens.ts";
import { words } from "../../figures/tokens/words.ts";
import { useCursor } from "../shared/useCursor.ts";
import { Button } from "../../ui/Button.tsx";

export interface PromptTextProps {
  /** Of the run; undefined if a file has none. */
  spec: ExperimentSpec | undefined;
  episode: EpisodeRecord;
  turn: number;
}

/** Tokens drawn initially, and how many more each time. */
const MOST = 600;

/** Not redrawn when the cursor moves. */
export const PromptText = memo(function PromptText(props: PromptTextProps) {
  const environment = props.spec?.environment;
  // The log lacks what a folder's tokenizer made of its observations.
  if (props.spec?.model?.folder) return <Answered {...props} />;
  if (environment?.kind !== "webshop") return <Made {...props} />;
  return <InShop seed={environment.catalogSeed} {...props} />;
});

/** The pages are reconstructed once their shop is generated. */
function InShop({ seed, ...props }: PromptTextProps & { seed: number }) {
  useShopMade(seed);
  return <Made {...props} />;
}

function Made({ spec, episode, turn }: PromptTextProps) {
  const answered = useSyncExternalStore(onEstimate, estimatesAnswered);
  const { parts, problem } = useMemo(() => {
    // A prompt of the run's own is written by code, which answers later.
    void answered;
    return promptOf(spec, episode, turn);
  }, [spec, episode, turn, answered]);
  return parts ? <Parts parts={parts} /> : <p className="note">{problem}</p>;
}

/** By the model, on request. */
function Answered({ spec, episode, turn }: PromptTextProps) {
  const { session } = useExperiment();
  const { at, view } = useCursor();
  const place = `${view.log.id}|${at.algorithm}|${at.iteration}|${episode.trajectory}|${turn}`;
  const [answer, setAnswer] = useState<{ place: string; parts: PromptPart[] } | null>(null);
  const asking = useAsking(place);
  const ask = () =>
    asking.ask(
      (onProgress) =>
        session.ask({ kind: "prompt", algorithm: at.algorithm, episode, turn }, onProgress),
      ({ parts }) => setAnswer({ place, parts }),
    );
  if (answer?.place === place)
    return (
      <>
        <p className="note">{words.promptAnswered}</p>
        <Parts parts={answer.parts} />
      </>
    );
  return (
    <>
      <p className="note">{promptOf(spec, episode, turn).problem}</p>
      <LiveModel>
        <Button data-testid="prompt-ask" onClick={ask}>
          {words.askPrompt}
        </Button>
        <AskStatus {...asking} />
      </LiveModel>
    </>
  );
}

function Parts({ parts }: { parts: PromptPart[] }) {
  const [shown, setShown] = useState({ parts, most: MOST });
  const most = shown.parts === parts ? shown.most : MOST;
  const { environment, model } = countsOf(parts);
  const left = environment + model - most;
  return (
    <>
      <p className="note">{words.promptCounts(environment, model)}</p>
      {firstOf(parts, most).map(({ turn, who, tokens }) => (
        <p key={`${turn} ${who}`} className={`prompt-part prompt-${who}`}>
          <span className="note">{words.promptPart(who, turn)}</span>{" "}
          {tokens.map((text, t) => (
            <span key={t} className="prompt-token">
              {visibleToken(text)}
            </span>
          ))}
        </p>
      ))}
      {left > 0 && (
        <p className="tokens-parts">
          <Button onClick={() => setShown({ parts, most: most + MOST })}>
            {words.moreTokens(Math.min(left, MOST), left)}
          </Button>
        </p>
      )}
    </>
  );
}
