/** The conversation token by token: the environment's text in grey, the model's tokens coloured by a number. */
import { useMemo, useState } from "react";
import { saysWhere } from "../../spec/experiment.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { useCursor } from "../shared/useCursor.ts";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { useSlicedRedraw } from "../shared/useSlicedRedraw.ts";
import { tokens } from "./manifest.ts";
import { ConversationView } from "./ConversationView.tsx";
import { describeColours, describeTokens } from "./describe.ts";
import { TokenNumbers } from "./TokenNumbers.tsx";
import { TokenTable } from "./TokenTable.tsx";
import { tokensShown, type Shown, type TokensWanted } from "./tokensView.ts";
import { words, type Measure } from "./words.ts";
import type { GoToken } from "./goToken.ts";
import { Empty } from "../../ui/Empty.tsx";
import { InlineField } from "../../ui/Field.tsx";

export function TokensPanel() {
  const { view, at, episode, move } = useCursor();
  const [measure, setMeasure] = useState<Measure | null>(null);
  const { spec } = view.log.start ?? {};
  const { algorithm, fork, turn, token } = at;
  const wanted = useMemo<TokensWanted>(
    () => ({ spec, algorithm, episode, fork, turn, token, measure }),
    [spec, algorithm, episode, fork, turn, token, measure],
  );
  const { ref, shown } = useSlicedRedraw(wanted, view.log, tokensShown);
  const go: GoToken = (turn, token) => move({ episode: at.episode, turn, token });
  return (
    <PanelFrame panel={tokens}>
      <div ref={ref}>
        {shown?.content && (
          <Body shown={shown.content} measure={measure} setMeasure={setMeasure} go={go} />
        )}
        {shown?.content === null && <NoEpisodes panel={tokens} />}
        {!shown && <Empty>{words.coming}</Empty>}
      </div>
    </PanelFrame>
  );
}

interface BodyProps {
  shown: Shown;
  /** Null until the reader chooses. */
  measure: Measure | null;
  setMeasure: (measure: Measure) => void;
  go: GoToken;
}

function Body({ shown, measure, setMeasure, go }: BodyProps) {
  const { conversation, standing, colouring } = shown;
  const { spec, tokens } = conversation;
  const hasTokens = tokens.length > 0;
  return (
    <>
      <p className="tokens-line prose-note" data-testid="tokens-summary">
        {hasTokens ? describeTokens(conversation) : words.noTokens}
      </p>
      {hasTokens && (
        <div className="tokens-colour">
          <MeasureChoice value={measure ?? colouring.measure} onChange={setMeasure} />
          <p className="note prose-note" data-testid="tokens-legend">
            {describeColours(colouring, conversation)}
          </p>
        </div>
      )}
      <div className="tokens-columns">
        <ConversationView
          conversation={conversation}
          standing={standing}
          colouring={colouring}
          go={go}
        />
        {hasTokens && <TokenNumbers conversation={conversation} standing={standing} />}
      </div>
      <p className="note prose-note">
        {words.environmentNote} {spec && words.contexts[spec.context]} {words.whitespace}
      </p>
      {saysWhere(spec) && <p className="note prose-note">{words.promptMade}</p>}
      <p className="note prose-note">{words.keys}</p>
      {hasTokens && <TokenTable conversation={conversation} standing={standing} />}
    </>
  );
}

interface MeasureChoiceProps {
  value: Measure;
  onChange: (measure: Measure) => void;
}

function MeasureChoice({ value, onChange }: MeasureChoiceProps) {
  return (
    <InlineField label={words.colour}>
      <select
        value={value}
        data-testid="tokens-measure"
        onChange={({ target }) => onChange(target.value as Measure)}
      >
        {Object.entries(words.measures).map(([id, { name }]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </InlineField>
  );
}
