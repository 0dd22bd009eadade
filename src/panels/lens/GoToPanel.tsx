/** Opens a panel of the lens and brings the reader to it, from wherever on the page. */
import { useState } from "react";
import { lensPanels } from "./panelTable.ts";
import { words } from "./words.ts";

export function GoToPanel() {
  const [id, setId] = useState(lensPanels[0]!.id);
  // A button goes there: with the keyboard one passes over other panels on the way to one's choice.
  return (
    <div className="go-to-panel" role="group" aria-label={words.goTo}>
      <label>
        {words.goTo}{" "}
        <select value={id} data-testid="go-panel" onChange={({ target }) => setId(target.value)}>
          {lensPanels.map((panel) => (
            <option key={panel.id} value={panel.id}>
              {panel.title}
            </option>
          ))}
        </select>
      </label>
      <button type="button" data-testid="go" onClick={() => goToPanel(id)}>
        {words.go}
      </button>
    </div>
  );
}

/** The panel hears of it through its toggle event, as after a click. */
function goToPanel(id: string): void {
  const panel = document.querySelector<HTMLDetailsElement>(`details[data-panel="${id}"]`);
  if (!panel) return;
  panel.open = true;
  const summary = panel.querySelector("summary");
  summary?.focus();
  summary?.scrollIntoView({ block: "start" });
}
