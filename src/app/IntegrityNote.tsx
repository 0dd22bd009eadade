/** Says whether a recorded run is as it was written. */
import type { Integrity } from "../train/integrity.ts";
import { words } from "./integrityWords.ts";

export function IntegrityNote({ integrity }: { integrity: Integrity }) {
  const { state } = integrity;
  const text =
    state === "intact"
      ? words.intact(integrity.events, integrity.ended)
      : state === "none"
        ? words.none
        : words.altered(integrity.line, integrity.why);
  return (
    <p
      // Something is wrong with what is on screen: said aloud at once.
      role={state === "altered" ? "alert" : "status"}
      className={state === "altered" ? "notice notice-problem" : "note"}
      data-testid="integrity"
      data-state={state}
    >
      {text}
    </p>
  );
}
