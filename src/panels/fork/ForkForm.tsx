/** What is to be otherwise: the response, the board or what is clicked on the page, and how often to play it. */
import { descriptorOf, pictureOf } from "../../env/descriptors.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { EnvironmentSpec } from "../../spec/experiment.ts";
import { ShopTurn } from "../shared/shop/ShopTurn.tsx";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import { isBoard, problemOf } from "./boardEdit.ts";
import { BoardEditor } from "./BoardEditor.tsx";
import { recordedResponse, type Draft } from "./forkView.ts";
import { words } from "./words.ts";

interface ForkFormProps {
  episode: EpisodeRecord;
  turn: number;
  /** Of the run that the episode is of; undefined where a file does not tell. */
  environment: EnvironmentSpec | undefined;
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  /** Nothing can be asked now. */
  busy: boolean;
  onRun: () => void;
}

const BRANCHES = [16, 64, 256];

export function ForkForm({ environment, ...given }: ForkFormProps) {
  const { episode, turn } = given;
  const props = { ...given, hint: hintOf(environment, episode.turns[turn]!.observation) };
  return (
    <>
      <h4>{words.from(turn + 1, episode.turns.length)}</h4>
      {/* The page has a form of its own: its search. */}
      {environment?.kind === "webshop" ? (
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

/** How a response of the run's world is written. */
function hintOf(environment: EnvironmentSpec | undefined, observation: string): string {
  const kind = environment?.kind ?? (isBoard(observation) ? "sokoban" : "webshop");
  const { form, example } = descriptorOf(kind).answers;
  return words.sayHint(form, example);
}

interface PartProps extends Omit<ForkFormProps, "environment"> {
  hint: string;
}

interface PageOfTurnProps extends PartProps {
  environment: Extract<EnvironmentSpec, { kind: "webshop" }>;
}

/** A click writes the response. */
function PageOfTurn({ environment, ...props }: PageOfTurnProps) {
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
      <BoardPicture observation={draft.board} />
      {draft.board !== observation && (
        <p>
          {words.boardChanged}{" "}
          <button type="button" onClick={() => onChange({ board: observation })}>
            {words.restore}
          </button>
        </p>
      )}
      {isBoard(observation) ? (
        <details>
          <summary>{words.board}</summary>
          <BoardEditor board={draft.board} onChange={(board) => onChange({ board })} />
        </details>
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
      <p>
        {words.wasSaid}: <q>{text}</q>
        {recorded !== text.trim() && words.thatIs(recorded)}
      </p>
      <Response {...{ draft, recorded, hint, onChange }} />
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
      <p className="note">{hint}</p>
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
