/** Which click earned the reward: a recorded trip, three methods' credit for its clicks, and the true one after a guess. */
import { Suspense, useLayoutEffect, useMemo, useRef } from "react";
import type { Goal } from "../../../env/webshop/product.ts";
import { ASK_FOR_TRUTH } from "../../../figures/truthWords.ts";
import { tellingTrip, tripCredit, type TripCredit } from "../../../reading/shop/tripCredit.ts";
import { recordedEpisode, replayOf } from "../../../reading/shop/replay.ts";
import { shopOf } from "../../../reading/shop/trip.ts";
import { titleOf } from "../../../reading/titles.ts";
import type { RunLog } from "../../../reading/log/runLog.ts";
import type { Truths } from "../../../reading/truths.ts";
import type { WebShopSpec } from "../../../spec/experiment.ts";
import type { ExperimentState, ExperimentStore } from "../../../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../../../store/hooks.ts";
import { openLinkOf } from "../../../store/links.ts";
import { startChoice, type ResolvedChoice } from "../../../store/turnChoice.ts";
import { Button } from "../../../ui/Button.tsx";
import { Empty } from "../../../ui/Empty.tsx";
import { Sheet } from "../../../ui/Sheet.tsx";
import { PageUseContext } from "../../shared/shop/pageUse.ts";
import { ShopPageView } from "../../shared/shop/ShopPageView.tsx";
import { useShopMade } from "../../shared/shop/useShopMade.ts";
import { useCursor } from "../../shared/useCursor.ts";
import { waitingFor } from "../../shared/waiting.ts";
import { answerOf, deedOf, goalParts, type Deed } from "./facts.ts";
import { TripGrid } from "./TripGrid.tsx";
import { useTrip } from "./useTrip.ts";
import { words } from "./words.ts";
import "./trip.css";

export function TripPanel() {
  const { store } = useExperiment();
  const { view, at } = useCursor();
  const truths = useExperimentState("truths");
  useFirstTrip(store, view.log, truths, at);
  const credit = useMemo(() => tripCredit(view.log, truths, at), [view, truths, at]);
  const environment = view.log.start?.spec.environment;
  const why = useExperimentState(whyNone);
  if (!credit) return <Empty>{why}</Empty>;
  if (environment?.kind !== "webshop") return <Empty>{words.notShop}</Empty>;
  return (
    <Suspense fallback={<Empty>{words.opening}</Empty>}>
      <Trip {...{ credit, environment, at }} />
    </Suspense>
  );
}

function whyNone(now: ExperimentState): string {
  const isMissing = now.recording.state === "missing" || now.recording.state === "refused";
  return waitingFor(now) ?? (isMissing ? words.missing : words.opening);
}

/** Experiments whose first trip was chosen: afterwards the cursor stays where the reader left it. */
const begun = new WeakSet<ExperimentStore>();

/** Before anything is seen of another one. */
function useFirstTrip(
  store: ExperimentStore,
  log: RunLog,
  truths: Truths,
  at: ResolvedChoice,
): void {
  useLayoutEffect(() => {
    if (begun.has(store) || at.episodes.length === 0) return;
    begun.add(store);
    const { choice } = store.getState();
    if (JSON.stringify(choice) !== JSON.stringify(startChoice(log))) return;
    const episode = tellingTrip(log, truths, at);
    if (episode !== null) store.setState({ choice: { ...choice, episode, turn: 0 } });
  }, [store, log, truths, at]);
}

interface TripProps {
  credit: TripCredit;
  environment: WebShopSpec;
  at: ResolvedChoice;
}

function Trip({ credit, environment, at }: TripProps) {
  useShopMade(environment.catalogSeed);
  const { record } = credit;
  const { frames, shop } = useMemo(() => {
    const episode = recordedEpisode(record, environment);
    return { ...replayOf(episode), shop: shopOf(episode.catalogue, episode.setup) };
  }, [record, environment]);
  const root = useRef<HTMLDivElement>(null);
  const hand = useTrip(root, credit, at);
  const { here, guess } = hand;
  const { stand, element, typed } = frames[at.turn]!;
  // data-scope: the keys of a replay work all over the page.
  return (
    <div ref={root} className="trip" data-scope="replay" data-testid="trip">
      <Lead {...{ credit, at }} goal={shop.goal} onAttempt={hand.attempt} />
      <TripGrid
        {...{ credit, frames, shop, here }}
        isSeen={guess !== null}
        plays={hand.plays}
        onTurn={hand.choose}
        onPlay={hand.play}
        onOpen={() => hand.open(true)}
      />
      <Say {...{ credit, guess }} deeds={frames.slice(0, -1).map(deedOf)} />
      <Sheet
        open={hand.isOpen}
        onOpenChange={hand.open}
        title={words.turn(at.turn + 1)}
        testId="trip-full"
        className="trip-full"
      >
        <PageUseContext value={{ act: null, target: element, typed }}>
          <ShopPageView page={stand.page} shop={shop} />
        </PageUseContext>
      </Sheet>
    </div>
  );
}

interface LeadProps extends Omit<TripProps, "environment"> {
  goal: Goal;
  onAttempt: (episode: number) => void;
}

function Lead({ credit: { group }, at, goal, onAttempt }: LeadProps) {
  const { article, noun, wanted, limit } = goalParts(goal);
  const { algorithm, iteration, episodes } = at;
  return (
    <div className="trip-lead">
      <p className="trip-goal" data-testid="trip-goal">
        {words.asked} {article}
        <b>{noun}</b>
        {wanted.map((value, i) => (
          <span key={value}>
            {i === 0 ? ", " : ` ${words.and} `}
            <b>{value}</b>
          </span>
        ))}
        {limit !== null && (
          <>
            , {words.below} <b>{limit}</b>
          </>
        )}
        .
      </p>
      <fieldset className="trip-tries">
        <legend title={words.rule}>
          {words.attempts(group.length, titleOf(algorithm), iteration)}
        </legend>
        {group.map((episode, i) => {
          const reward = episodes[episode]!.reward.toFixed(2);
          return (
            <Button
              key={episode}
              aria-pressed={episode === at.episode}
              aria-label={words.attempt(i + 1, reward)}
              onClick={() => onAttempt(episode)}
            >
              {reward}
            </Button>
          );
        })}
      </fieldset>
    </div>
  );
}

interface SayProps {
  credit: TripCredit;
  deeds: readonly Deed[];
  guess: number | null;
}

/** The question, then what the guess showed. */
function Say({ credit, deeds, guess }: SayProps) {
  const { truth } = credit;
  const { store } = useExperiment();
  const answer = truth && guess !== null ? answerOf(credit, truth, deeds, guess) : null;
  const isAsking = truth !== null && answer === null;
  return (
    <div className="trip-say" role="status" data-testid="trip-say">
      {isAsking && (
        <>
          <span className="trip-dot" aria-hidden="true">
            ?
          </span>
          <span>
            <b>{words.ask}</b> {words.askHow}
            <span className="trip-keys">
              {" "}
              {words.press} <kbd>1</kbd> {words.to} <kbd>{deeds.length}</kbd>
            </span>
            . {words.askThen}
          </span>
        </>
      )}
      {answer && (
        <span>
          <b>{answer.verdict}</b> {answer.why}
        </span>
      )}
      {!truth && <span>{ASK_FOR_TRUTH}</span>}
      {!isAsking && (
        <a
          className="trip-lens"
          href={openLinkOf(store.getState(), "lens")}
          data-testid="trip-lens"
        >
          {words.lens}
        </a>
      )}
    </div>
  );
}
