/** Opens a panel of the lens and brings the reader to it, from wherever on the page. */
import { useState } from "react";
import { flushSync } from "react-dom";
import { useExperiment } from "../../store/hooks.ts";
import { setLens, withAlone, withPanel } from "../../store/lens.ts";
import { lensPanels } from "../panelTable.ts";
import { words } from "./words.ts";

export function GoToPanel() {
  const { store } = useExperiment();
  const [id, setId] = useState<string>(lensPanels[0]!.id);
  const go = () => {
    flushSync(() => setLens(store, (lens) => withPanel(withAlone(lens, null), id, true)));
    bringTo(id);
  };
  // A button goes there: with the keyboard one passes over other panels on the way to one's choice.
  return (
    <div className="go-to-panel" role="group" aria-label={words.goTo}>
      <label>
        <span className="go-name">{words.goTo}</span>{" "}
        <select
          title={words.goTo}
          value={id}
          data-testid="go-panel"
          onChange={({ target }) => setId(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            go();
          }}
        >
          {lensPanels.map((panel) => (
            <option key={panel.id} value={panel.id}>
              {panel.title}
            </option>
          ))}
        </select>
      </label>
      <button type="button" data-testid="go" onClick={go}>
        {words.go}
      </button>
    </div>
  );
}

function bringTo(id: string): void {
  const summary = document.querySelector<HTMLElement>(`details[data-panel="${id}"] > summary`);
  summary?.focus();
  summary?.scrollIntoView({ block: "start" });
}
