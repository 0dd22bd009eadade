/** What is to be otherwise: the response, the board, and how often to play it. */
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { BoardPicture } from "../turns/BoardPicture.tsx";
import { isBoard, problemOf } from "./boardEdit.ts";
import { BoardEditor } from "./BoardEditor.tsx";
import type { Draft } from "./forkView.ts";
import { words } from "./words.ts";

interface ForkFormProps {
  episode: EpisodeRecord;
  turn: number;
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  /** Nothing can be asked now. */
  busy: boolean;
  onRun: () => void;
}

const BRANCHES = [16, 64, 256];

export function ForkForm({ episode, turn, draft, onChange, busy, onRun }: ForkFormProps) {
  const { observation, text } = episode.turns[turn]!;
  const drawable = isBoard(observation);
  const blocked = busy || (drawable && draft.board !== observation && !!problemOf(draft.board));
  return (
    <form
      className="fork-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!blocked) onRun();
      }}
    >
      <h4>{words.from(turn + 1, episode.turns.length)}</h4>
      <div className="fork-sides">
        <div>
          <BoardPicture observation={draft.board} />
          {draft.board !== observation && (
            <p>
              {words.boardChanged}{" "}
              <button type="button" onClick={() => onChange({ board: observation })}>
                {words.restore}
              </button>
            </p>
          )}
        </div>
        <div className="fork-fields">
          <p>
            {words.wasSaid}: <q>{text}</q>
          </p>
          <Response draft={draft} recorded={text.trim()} onChange={onChange} />
          <label title={words.branchesHint}>
            {words.branches}{" "}
            <select
              value={draft.branches}
              data-testid="fork-branches"
              onChange={(event) => onChange({ branches: Number(event.target.value) })}
            >
              {BRANCHES.map((K) => (
                <option key={K}>{K}</option>
              ))}
            </select>
          </label>
          <button type="submit" aria-disabled={blocked} data-testid="fork-run">
            {words.run}
          </button>
        </div>
      </div>
      {drawable && (
        <details>
          <summary>{words.board}</summary>
          <BoardEditor board={draft.board} onChange={(board) => onChange({ board })} />
        </details>
      )}
    </form>
  );
}

interface ResponseProps {
  draft: Draft;
  recorded: string;
  onChange: ForkFormProps["onChange"];
}

function Response({ draft, recorded, onChange }: ResponseProps) {
  return (
    <>
      <label className="fork-response" title={words.sayHint}>
        {words.say}
        <input
          type="text"
          value={draft.response}
          disabled={draft.free}
          data-testid="fork-response"
          onChange={(event) => onChange({ response: event.target.value })}
        />
      </label>
      <p className="note">{words.sayHint}</p>
      <label className="check" title={words.letHint}>
        <input
          type="checkbox"
          checked={draft.free}
          onChange={(event) => onChange({ free: event.target.checked })}
        />{" "}
        {words.let}
      </label>
      {draft.response !== recorded && !draft.free && (
        <button type="button" onClick={() => onChange({ response: recorded })}>
          {words.restore}
        </button>
      )}
    </>
  );
}
