/** Asks the oracle about the episode at the cursor; panels with true values show the result. */
import { findTruth, TRUTH_BRANCHES } from "../../../store/findTruth.ts";
import { forkKey, truthOfEpisode } from "../../../store/forks.ts";
import { useExperiment, useExperimentState } from "../../../store/hooks.ts";
import { otherPolicy, truthKey } from "../../../reading/truths.ts";
import { useCursor } from "../useCursor.ts";
import { AskStatus } from "./AskStatus.tsx";
import { boardNote } from "./boardNote.ts";
import { useAnswerer } from "./LiveModel.tsx";
import { useAsking } from "./useAsking.ts";
import { otherPolicies, policyName, sayDiscount } from "../../../figures/truthWords.ts";
import { words } from "./words.ts";
import { Button } from "../../../ui/Button.tsx";
import { Icon } from "../../../ui/Icon.tsx";

/** `brief`: without a text about the result. */
export function TruthButton({ brief = false }: { brief?: boolean }) {
  const experiment = useExperiment();
  const { view, at, episode } = useCursor();
  const truths = useExperimentState("truths");
  const live = useAnswerer() !== null;
  const fork = episode && forkKey(episode);
  const key = truthKey(at.algorithm, at.iteration, episode?.trajectory ?? -1, fork);
  const asking = useAsking(`${view.log.id}|${key}`);
  if (!episode || episode.turns.length === 0) return null;
  const { algorithm, iteration } = at;
  const truth = truthOfEpisode(truths, at, episode);
  const [found, other] = [truth?.found, otherPolicy(truth, iteration)];
  const place = { algorithm, iteration, episode, branches: TRUTH_BRANCHES };
  const find = () =>
    asking.ask(
      (onProgress) => findTruth(experiment, place, onProgress),
      () => undefined,
    );
  const blocked = !live || asking.progress !== null;
  return (
    <div className="ask-truth" data-testid="truth-button">
      <Button
        aria-disabled={blocked}
        title={hintOf(live, other)}
        onClick={() => !blocked && find()}
      >
        <TruthName known={found !== undefined} other={other} brief={brief} />
      </Button>
      <AskStatus {...asking} brief={brief} />
      {found && !brief && (
        <span className="note" data-testid="truth-found">
          {words.found(found.branches, policyName(found.trained), sayDiscount(found))}{" "}
          {policyNote(found.trained, iteration, view.origin === "live")} {boardNote(episode)}
        </span>
      )}
    </div>
  );
}

function hintOf(live: boolean, other: number | null): string {
  const hint = live ? words.truthHint : words.truthNeedsModel;
  return other === null ? hint : `${otherPolicies([other])} ${hint}`;
}

interface TruthNameProps {
  known: boolean;
  /** As in `otherPolicy`. */
  other: number | null;
  brief: boolean;
}

/** In brief the result, and its policy if another one played; else the button's action, ticked once done. */
function TruthName({ known, other, brief }: TruthNameProps) {
  if (!known) return words.truth;
  if (!brief) return `${words.truth} ✓`;
  if (other !== null) return words.truthBy(other);
  return (
    <span className="good">
      <Icon name="check" size={14} /> {words.truthKnown}
    </span>
  );
}

/** An iteration's episodes are played by the policy trained in the iterations before it. */
function policyNote(trained: number, iteration: number, live: boolean): string {
  if (trained === iteration - 1) return live ? words.same : "";
  return trained >= iteration ? words.later : words.earlier;
}
