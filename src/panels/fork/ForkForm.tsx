/** What to change: the response, the board or the click on the page, and how often to play it. */
import { descriptorOf, knownDescriptor, hasPages, pictureOf } from "../../env/descriptors.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { EnvironmentSpec, WebShopSpec } from "../../spec/experiment.ts";
import { EpisodeStrip } from "../shared/EpisodeStrip.tsx";
import { ShopTurn } from "../shared/shop/ShopTurn.tsx";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import { isBoard, problemOf } from "./boardEdit.ts";
import { BoardEditor } from "./BoardEditor.tsx";
import { recordedResponse } from "../../figures/fork/numbers.ts";
import type { Draft } from "./draft.ts";
import { words } from "./words.ts";
import { Folded } from "../../ui/Folded.tsx";
import { Button } from "../../ui/Button.tsx";
import { CheckBox, Select } from "../../ui/Field.tsx";

interface ForkFormProps {
  episode: EpisodeRecord;
  turn: number;
  /** Of the episode's run; undefined if a file does not have it. */
  environment: EnvironmentSpec | undefined;
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  /** Moves the cursor of all panels. */
  onTurn: (turn: number) => void;
  /** No question is possible now. */
  busy: boolean;
  onRun: () => void;
}

const BRANCHES = [16, 64, 256];

export function ForkForm({ environment, onTurn, ...given }: ForkFormProps) {
  const { episode, turn } = given;
  const props = { ...given, hint: hintOf(environment, episode.turns[turn]!.observation) };
  return (
    <>
      <h4>{words.from(turn + 1, episode.turns.length)}</h4>
      <EpisodeStrip
        turns={episode.turns}
        label={words.strip}
        here={turn}
        onChoose={onTurn}
        testId="fork-turns"
      />
      {/* The page contains its own form: its search. */}
      {hasPages(environment) ? (
        <PageOfTurn {...props} environment={environment} />
      ) : (
        <div className="fork-sides">
          <BoardOfTurn {...props} />
          <Question {...props} />
        </div>
      )}
    </>
  );
}

/** The format of a response in the run's environment. */
function hintOf(environment: EnvironmentSpec | undefined, observation: string): string {
  const guess = () => descriptorOf(isBoard(observation) ? "sokoban" : "webshop");
  const { form, example } = (knownDescriptor(environment?.kind) ?? guess()).answers;
  return words.sayHint(form, example);
}

interface PartProps extends Omit<ForkFormProps, "environment" | "onTurn"> {
  hint: string;
}

/** A click writes the response. */
function PageOfTurn({ environment, ...props }: PartProps & { environment: WebShopSpec }) {
  const { episode, turn, draft, onChange } = props;
  const { seed, turns } = episode;
  const { observation } = turns[turn]!;
  return (
    <>
      <p className="note">{words.pageHint}</p>
      <ShopTurn
        environment={environment}
        played={{ seed, turns: turns.slice(0, turn), seen: observation }}
        onAct={(response) => onChange({ response, free: false })}
        chosen={draft.free ? null : draft.response}
      />
      <Question {...props} />
    </>
  );
}

function BoardOfTurn({ episode, turn, draft, onChange }: PartProps) {
  const { observation } = episode.turns[turn]!;
  return (
    <div className="fork-before">
      {/* The strip above shows the original. */}
      {(draft.board !== observation || !pictureOf(observation)) && (
        <BoardPicture observation={draft.board} />
      )}
      {draft.board !== observation && (
        <p>
          {words.boardChanged}{" "}
          <Button onClick={() => onChange({ board: observation })}>{words.restore}</Button>
        </p>
      )}
      {isBoard(observation) ? (
        <Folded title={words.board}>
          <BoardEditor board={draft.board} onChange={(board) => onChange({ board })} />
        </Folded>
      ) : (
        pictureOf(observation) === null && <p className="note">{words.noPage}</p>
      )}
    </div>
  );
}

function Question({ episode, turn, draft, hint, onChange, busy, onRun }: PartProps) {
  const { observation, text } = episode.turns[turn]!;
  const recorded = recordedResponse(episode, turn);
  const changed = draft.board !== observation;
  const blocked = busy || (changed && isBoard(observation) && !!problemOf(draft.board));
  return (
    <form
      className="fork-fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (!blocked) onRun();
      }}
    >
      {/* The strip shows it; for a longer text it does not show that it is an action. */}
      {recorded !== text.trim() && (
        <p>
          {words.wasSaid}: <q>{text}</q>
          {words.thatIs(recorded)}
        </p>
      )}
      <Response draft={draft} recorded={recorded} hint={hint} onChange={onChange} />
      <label title={words.branchesHint}>
        {words.branches}{" "}
        <Select
          value={String(draft.branches)}
          data-testid="fork-branches"
          options={BRANCHES.map((K) => [String(K), K])}
          onPick={(K) => onChange({ branches: Number(K) })}
        />
      </label>
      <button type="submit" className="primary" aria-disabled={blocked} data-testid="fork-run">
        {words.run}
      </button>
    </form>
  );
}

interface ResponseProps {
  draft: Draft;
  recorded: string;
  hint: string;
  onChange: ForkFormProps["onChange"];
}

function Response({ draft, recorded, hint, onChange }: ResponseProps) {
  return (
    <>
      <label className="fork-response" title={hint}>
        {words.say}
        <input
          type="text"
          value={draft.response}
          disabled={draft.free}
          data-testid="fork-response"
          onChange={(event) => onChange({ response: event.target.value })}
        />
      </label>
      <p className="note prose-note">{hint}</p>
      <CheckBox
        title={words.letHint}
        checked={draft.free}
        onChange={(event) => onChange({ free: event.target.checked })}
      >
        {words.let}
      </CheckBox>
      {draft.response !== recorded && !draft.free && (
        <Button onClick={() => onChange({ response: recorded })}>{words.restore}</Button>
      )}
    </>
  );
}
