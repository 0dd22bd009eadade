/** Whether numbers come from the recorded run or from the live one. */
import type { ShownPart } from "../../interchange/import/foreign.ts";
import { useExperimentState } from "../../store/hooks.ts";

const words = {
  none: "no run yet",
  recorded: "recorded run",
  live: "live run",
  imported: "imported file",
  part: ({ kept, all }: ShownPart) =>
    `, ${kept.toLocaleString("en")} of ${all.toLocaleString("en")} episodes`,
} as const;

export function OriginTag() {
  const { origin, log } = useExperimentState("view");
  const { part } = log;
  return (
    <span className={`tag tag-${origin}`} data-testid="origin" data-origin={origin}>
      {words[origin]}
      {part && words.part(part)}
    </span>
  );
}
