/** The jump keys as buttons. */
import { useExperiment } from "../../store/hooks.ts";
import type { ChoiceMove } from "../../store/turnChoice.ts";
import { useKeyOf } from "../../ui/actionKeys.ts";
import { describeNoClip, describeNoError } from "./describe.ts";
import {
  toFirstTurn,
  toLargestError,
  toLargestErrorOfAll,
  toLastTurn,
  toMostClipped,
  toNextClipped,
} from "./jumps.ts";
import type { RibbonView } from "./ribbonView.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

/** Named as in the action table. */
type JumpName = keyof typeof words.jumps;

const JUMPS: Record<JumpName, ChoiceMove> = {
  largestError: toLargestError,
  largestErrorOfAll: toLargestErrorOfAll,
  nextClipped: toNextClipped,
  mostClipped: toMostClipped,
  firstTurn: toFirstTurn,
  lastTurn: toLastTurn,
};

export function JumpButtons({ view }: { view: RibbonView }) {
  const { hasErrors, untrained, clippedAll } = view;
  const { store } = useExperiment();
  const keyOf = useKeyOf();
  const go = (jump: ChoiceMove) =>
    store.setState(({ view: { log }, choice }) => ({ choice: jump(log, choice) }));
  /** Why there is no target. */
  const none: Partial<Record<JumpName, string | false>> = {
    largestError: describeNoError(view),
    largestErrorOfAll: hasErrors ? untrained && words.untrained : words.noErrors,
    nextClipped: clippedAll.cut === 0 && describeNoClip(clippedAll),
    mostClipped: clippedAll.known === 0 && describeNoClip(clippedAll),
  };
  return (
    <div className="jumps" role="group" aria-label={words.jump}>
      <span className="note">{words.jump}</span>
      {(Object.keys(JUMPS) as JumpName[]).map((name) => (
        <Button
          key={name}
          aria-disabled={Boolean(none[name])}
          title={none[name] || undefined}
          data-jump={name}
          onClick={() => go(JUMPS[name])}
        >
          {words.jumps[name]} <kbd aria-hidden="true">{keyOf(name)}</kbd>
        </Button>
      ))}
    </div>
  );
}
