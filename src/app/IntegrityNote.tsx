/** Whether a recorded run is intact. */
import type { RecordingIntegrity } from "../store/experimentState.ts";
import { words } from "./integrityWords.ts";

export function IntegrityNote({ integrity }: { integrity: RecordingIntegrity }) {
  const isBad = integrity.state === "altered" || faultOf(integrity) !== null;
  return (
    <p
      // Something on screen is wrong: announced at once.
      role={isBad ? "alert" : "status"}
      className={isBad ? "notice notice-problem" : "note"}
      data-testid="integrity"
      data-state={integrity.state}
    >
      {textOf(integrity)}
    </p>
  );
}

function faultOf(integrity: RecordingIntegrity): string | null {
  return integrity.state === "file" ? integrity.fault : null;
}

function textOf(integrity: RecordingIntegrity): string {
  switch (integrity.state) {
    case "intact":
      return words.intact(integrity.events, integrity.ended);
    case "none":
      return words.none;
    case "altered":
      return words.altered(integrity.line, integrity.why);
    case "file": {
      const { read, files, fingerprint, fault } = integrity;
      return fault === null ? words.file(read, files, fingerprint) : words.fault(fault);
    }
  }
}
