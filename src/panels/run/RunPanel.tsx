/** The experiment's settings and files, which are on a higher floor: the page passes them in. */
import { createContext, useContext, type ReactNode } from "react";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { run } from "./manifest.ts";

/** What the page shows here. */
export const RunContent = createContext<ReactNode>(null);

export function RunPanel() {
  const content = useContext(RunContent);
  return (
    <PanelFrame panel={run} ofRun={false} scope={null}>
      {content}
    </PanelFrame>
  );
}
