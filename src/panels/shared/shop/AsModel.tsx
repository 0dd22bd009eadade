/** The same page as text: what a model reads in WebShop's two text modes. */
import { useState } from "react";
import { actionList } from "../../../env/webshop/clickables.ts";
import type { PageNode } from "../../../env/webshop/pageNodes.ts";
import {
  OBSERVATION_MODES,
  renderPage,
  type ObservationMode,
} from "../../../env/webshop/render.ts";
import { words } from "./words.ts";
import { Select } from "../../../ui/Field.tsx";
import { Folded } from "../../../ui/Folded.tsx";

export function AsModel({ nodes }: { nodes: readonly PageNode[] }) {
  const [mode, setMode] = useState<ObservationMode>("text");
  const { asModel } = words;
  const actions = actionList(nodes);
  return (
    <Folded title={asModel.title} className="as-model" testId="as-model">
      <label>
        {asModel.mode}{" "}
        <Select value={mode} options={OBSERVATION_MODES.map((m) => [m, m])} onPick={setMode} />
      </label>
      <pre
        className="page-text"
        role="group"
        aria-label={asModel.title}
        tabIndex={0}
        data-testid="page-text"
      >
        {renderPage(nodes, mode)}
      </pre>
      {actions.length > 0 && (
        <>
          <h4>{asModel.actions}</h4>
          <pre className="page-text" role="group" aria-label={asModel.actions} tabIndex={0}>
            {actions.join("\n")}
          </pre>
        </>
      )}
    </Folded>
  );
}
