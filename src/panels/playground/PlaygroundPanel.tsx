/**
 * Playground: the reader plays while the policy's predictions are shown, or watches the policy
 * play.
 */
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { formatNumber, formatSigned } from "../../numeric/format.ts";
import { descriptorOf, knownDescriptor, hasPages } from "../../env/descriptors.ts";
import type { EnvironmentSpec } from "../../spec/experiment.ts";
import type { PlayAnswer } from "../../runtime/questions.ts";
import { answererOf } from "../../store/answerer.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import { learnerNames } from "../../spec/preference.ts";
import { AskStatus } from "../shared/ask/AskStatus.tsx";
import { LiveModel } from "../shared/ask/LiveModel.tsx";
import { policyName } from "../../figures/truthWords.ts";
import { titleOf } from "../../reading/titles.ts";
import { EpisodeStrip } from "../shared/EpisodeStrip.tsx";
import { useCursor, type Cursor } from "../shared/useCursor.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { ShopTurn } from "../shared/shop/ShopTurn.tsx";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import { playground } from "./manifest.ts";
import { MoveTable } from "./MoveTable.tsx";
import { StartButtons } from "./StartButtons.tsx";
import { PlayLog } from "./TurnLog.tsx";
import { useGame, type GameControls } from "./useGame.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { CheckBox } from "../../ui/Field.tsx";

export function PlaygroundPanel() {
  return (
    <PanelFrame
      panel={playground}
      about={words.about}
      className="playground"
      scope="play"
      ofRun={false}
    >
      <LiveModel>
        <Playground />
      </LiveModel>
    </PanelFrame>
  );
}

/** Of the run whose models answer. */
const selectSpec = (state: ExperimentState) =>
  answererOf(state) === "recorded" ? (state.view.log.start?.spec ?? null) : state.runSpec;

/** The cursor's method if the live run has it, else the run's first. */
function useMethod(): string {
  const { at } = useCursor();
  const spec = useExperimentState(selectSpec);
  const names = spec ? learnerNames(spec) : [];
  return names.includes(at.algorithm) ? at.algorithm : (names[0] ?? at.algorithm);
}

const useEnvironment = () => useExperimentState(selectSpec)?.environment;
const useIsShop = () => hasPages(useEnvironment());

/** Sokoban if a file names an unknown environment. */
function descriptorOfRun(environment: EnvironmentSpec | undefined) {
  return knownDescriptor(environment?.kind) ?? descriptorOf("sokoban");
}

/** What a task of the run's environment is called. */
function useTaskName(): string {
  const environment = useEnvironment();
  return descriptorOfRun(environment).task;
}

function Playground() {
  const task = useTaskName();
  const cursor = useCursor();
  const method = useMethod();
  const controls = useGame(method);
  const { game, asking, begin } = controls;
  useFresh(controls, method);
  return (
    <>
      <StartButtons cursor={cursor} task={task} seed={game?.seed ?? null} onBegin={begin} />
      {game ? (
        <Table controls={controls} answer={game.answer} method={method} />
      ) : (
        <Preview cursor={cursor} task={task} />
      )}
      {/* Answers are nearly immediate: progress is shown only if it takes longer. */}
      <AskStatus
        progress={asking.progress && asking.progress.total > 0 ? asking.progress : null}
        refusal={asking.refusal}
        cancel={asking.cancel}
      />
    </>
  );
}

/** Before a game: the episode at the cursor, which a game can start from at any turn. */
function Preview({ cursor, task }: { cursor: Cursor; task: string }) {
  const { episode, at, move } = cursor;
  return (
    <>
      {episode && (
        <EpisodeStrip
          turns={episode.turns}
          label={words.strip}
          here={at.turn}
          onChoose={(turn) => move({ turn, token: null })}
        />
      )}
      <Empty>{words.notBegun(task)}</Empty>
    </>
  );
}

/** When training continues, and for another method, the predictions are requested again. */
function useFresh({ game, asking, auto, refresh }: GameControls, method: string) {
  const { view } = useCursor();
  const iterations = view.origin === "live" ? view.log.iterations(method).length : 0;
  const now = `${method} ${iterations}`;
  const asked = useRef(now);
  const ready = game !== null && asking.progress === null && !auto;
  const again = useEffectEvent(() => {
    asked.current = now;
    refresh();
  });
  useEffect(() => {
    if (ready && asked.current !== now) again();
  }, [ready, now]);
}

interface TableProps {
  controls: GameControls;
  answer: PlayAnswer;
  method: string;
}

function Table({ controls, answer, method }: TableProps) {
  const game = controls.game!;
  const earned = formatSigned(answer.turns.reduce((sum, { reward }) => sum + reward, 0));
  const { turnsLeft } = answer;
  const isShop = useIsShop();
  const task = useTaskName();
  return (
    <>
      <h4>{words.task(task, game.seed)}</h4>
      <p data-testid="play-state" role="status">
        {answer.over
          ? words.over(isShop ? words.bought(answer.success) : words.solved(answer.success), earned)
          : words.earned(earned)}{" "}
        {!answer.over && turnsLeft !== null && words.turnsLeft(turnsLeft)}
      </p>
      <div className="play-sides">
        <Scene controls={controls} answer={answer} />
        {!answer.over && <Turn controls={controls} answer={answer} method={method} />}
      </div>
      <PolicyButtons controls={controls} over={answer.over} />
      <p className="note">{words.by(titleOf(method), policyName(answer.trained))}</p>
      <PlayLog turns={game.turns} played={answer.turns} />
      <p className="note prose-note">{isShop ? words.shopKeys : words.keys}</p>
    </>
  );
}

/** The board, or the page of the shop: a click there is the reader's turn. */
function Scene({ controls, answer }: Omit<TableProps, "method">) {
  const { seed } = controls.game!;
  const environment = useEnvironment();
  const chances = useMemo(
    () => new Map(answer.moves.map(({ action, probability }) => [action, probability])),
    [answer.moves],
  );
  if (!hasPages(environment))
    return (
      <div className="play-board">
        <BoardPicture observation={answer.observation} />
      </div>
    );
  return (
    <div className="play-page">
      {!answer.over && <p className="note">{words.pageNote}</p>}
      <ShopTurn
        environment={environment}
        played={{ seed, turns: answer.turns, seen: answer.observation }}
        onAct={controls.say}
        chances={chances}
      />
    </div>
  );
}

/** The reader's turn: moves with their probabilities, a text field, the critics' values. */
function Turn({ controls, answer, method }: TableProps) {
  const [text, setText] = useState("");
  const [chain, setChain] = useState(false);
  const environment = useEnvironment();
  const beginnings = !hasPages(environment);
  const hint = beginnings ? hintOf(environment) : words.writeHintShop;
  // If a turn is one action there is nothing to chain.
  const chains = environment === undefined || "maxActionsPerTurn" in environment;
  const move = (action: string) => {
    if (chain) return setText(text === "" ? action : `${text} || ${action}`);
    controls.say(action);
  };
  return (
    <div className="play-turn">
      {answer.moves.length === 0 ? (
        <p className="note">{words.noMoves}</p>
      ) : (
        <MoveTable
          moves={answer.moves}
          beginnings={beginnings}
          method={titleOf(method)}
          onMove={move}
        />
      )}
      {chains && (
        <CheckBox checked={chain} onChange={(event) => setChain(event.target.checked)}>
          {words.chain}
        </CheckBox>
      )}
      <form
        className="play-write"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() === "") return;
          controls.say(text);
          setText("");
        }}
      >
        <label title={hint}>
          {words.write}{" "}
          <input
            type="text"
            value={text}
            data-testid="play-text"
            onChange={(event) => setText(event.target.value)}
          />
        </label>{" "}
        <button type="submit">{words.play}</button>
      </form>
      <p className="note prose-note">{hint}</p>
      <Values values={answer.values} trained={answer.trained} />
    </div>
  );
}

function hintOf(environment: EnvironmentSpec | undefined): string {
  const { form, example } = descriptorOfRun(environment).answers;
  const hint = words.writeHint(form, example);
  const thinks = environment?.kind === "sokoban" && (environment.thought ?? 0) > 0;
  return thinks ? `${hint} ${words.writeThought}` : hint;
}

function Values({ values, trained }: Pick<PlayAnswer, "values" | "trained">) {
  const all = Object.entries(values);
  if (all.length === 0) return <p className="note">{words.noCritic}</p>;
  return (
    <>
      <p className="play-label">{words.values}</p>
      <dl className="fork-credits" data-testid="play-values">
        {all.map(([name, V]) => (
          <div key={name} data-critic={name}>
            <dt>{titleOf(name)}</dt>
            <dd className="number">{formatNumber(V)}</dd>
          </div>
        ))}
      </dl>
      <p className={trained === 0 ? "note" : "note prose-note"}>
        {trained === 0 ? words.untrained : words.valuesThen}
      </p>
    </>
  );
}

function PolicyButtons({ controls, over }: { controls: GameControls; over: boolean }) {
  const { game, auto, swapped, take, takeBack, setAuto } = controls;
  const none = game!.turns.length === 0;
  return (
    <p className="play-policy">
      {swapped && (
        <span className="note" role="status" data-testid="play-swapped">
          {words.swapped(titleOf(swapped.from), titleOf(swapped.to))}
        </span>
      )}
      <Button data-action="playPolicy" aria-disabled={over} onClick={take}>
        {words.policyTurn}
      </Button>
      <Button
        data-action="playPolicyOn"
        aria-disabled={over}
        aria-pressed={auto}
        onClick={() => setAuto(!auto)}
      >
        {auto ? words.handBack : words.policyEnd}
      </Button>
      <Button data-action="playTakeBack" aria-disabled={none} onClick={takeBack}>
        {words.takeBack}
      </Button>
    </p>
  );
}
