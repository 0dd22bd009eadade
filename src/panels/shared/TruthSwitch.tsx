/** Said where true values have another discount than V, with the way to a method where both agree. */
import { titleOf } from "../../reading/titles.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import { panelWords } from "./strings.ts";
import { useCursor } from "./useCursor.ts";
import { Button } from "../../ui/Button.tsx";
import { methodWithTruth } from "../../reading/truths.ts";

const selectTruths = (state: ExperimentState) => state.truths;

interface TruthSwitchProps {
  /** Name of the method whose critic V is from. */
  critic: string;
  /** What stands before the button. */
  text: string;
}

export function TruthSwitch({ critic, text }: TruthSwitchProps) {
  const { view, at, move } = useCursor();
  const truths = useExperimentState(selectTruths);
  const fitting = methodWithTruth(view.log, at, truths, critic);
  return (
    <span className="truth-switch" data-testid="truth-switch">
      {text}
      {fitting !== null && (
        <>
          {" "}
          <Button onClick={() => move({ algorithm: fitting, fork: null })}>
            {panelWords.truthOf(titleOf(fitting))}
          </Button>
        </>
      )}
    </span>
  );
}
