/** The page's parts, each as it is used: to be looked at by eye and by the tests. */
import { useState } from "react";
import { Badge } from "../../src/ui/Badge.tsx";
import { Confirm } from "../../src/ui/Confirm.tsx";
import { TextTable } from "../../src/ui/DataTable.tsx";
import { Folded } from "../../src/ui/Folded.tsx";
import { Icon } from "../../src/ui/Icon.tsx";
import { IconButton } from "../../src/ui/IconButton.tsx";
import { Meanings } from "../../src/ui/Meanings.tsx";
import { MoreMenu } from "../../src/ui/MoreMenu.tsx";
import { Toasts } from "../../src/ui/Toasts.tsx";
import { say } from "../../src/ui/toasts.ts";
import { Trouble } from "../../src/ui/Trouble.tsx";

const nothing = () => undefined;

export function Parts() {
  const [asks, setAsks] = useState(false);
  return (
    <main>
      <article className="story" data-testid="story">
        <h1>Parts</h1>
        <Buttons onAsk={() => setAsks(true)} />
        <Fields />
        <States />
        <Tables />
      </article>
      <Confirm
        open={asks}
        onKeep={() => setAsks(false)}
        title="Discard this run?"
        about="It has not been saved."
        keep="Keep the run"
        testId="parts-question"
      >
        <button type="button" onClick={() => setAsks(false)}>
          Discard
        </button>
      </Confirm>
      <Toasts />
    </main>
  );
}

function Buttons({ onAsk }: { onAsk: () => void }) {
  return (
    <section className="panel" aria-label="Buttons">
      <h2>Buttons and menus</h2>
      <div className="buttons">
        <button type="button" className="primary">
          <Icon name="play" />
          Run
        </button>
        <button type="button" onClick={onAsk}>
          Ask
        </button>
        <button type="button" disabled>
          Not now
        </button>
        <IconButton icon="share" name="Share" onClick={() => say({ text: "Link copied." })} />
        <IconButton icon="trash" name="Delete" onClick={sayDeleted} />
        <MoreMenu
          name="More"
          testId="parts-menu"
          align="start"
          entries={[
            { name: "Duplicate", testId: "parts-duplicate", onSelect: nothing },
            { name: "Download", testId: "parts-download", onSelect: nothing },
          ]}
        />
      </div>
    </section>
  );
}

const sayDeleted = () => say({ text: "Deleted “Credit”.", action: { name: "Undo", run: nothing } });

function Fields() {
  return (
    <section className="panel" aria-label="Fields">
      <h2>Fields</h2>
      <label className="inline-field">
        Seed
        <input type="number" defaultValue={1} />
      </label>
      <label className="inline-field">
        Backend
        <select defaultValue="auto">
          <option value="auto">automatic</option>
        </select>
      </label>
      <label className="check">
        <input type="checkbox" defaultChecked /> GRPO
      </label>
    </section>
  );
}

function States() {
  return (
    <section className="panel" aria-label="States">
      <h2>States</h2>
      <p>
        <Badge>Recorded run</Badge> <Badge tone="bad">2 findings</Badge>
      </p>
      <p className="empty">No episodes yet. Press Run.</p>
      <p className="notice notice-stale">Settings changed.</p>
      <Trouble
        title="This page could not finish"
        message="The worker does not answer."
        action="What to do: try again."
        again="Try again"
        onAgain={nothing}
      />
    </section>
  );
}

function Tables() {
  return (
    <section className="panel" aria-label="Tables">
      <h2>Tables</h2>
      <TextTable
        label="Credits"
        head={["Turn", "Credit"]}
        rows={[
          ["1", "+2.47"],
          ["2", "−0.40"],
        ]}
      />
      <Folded title="Folded">
        <p>What is folded away.</p>
      </Folded>
      <Meanings title="What the rows mean" meanings={[{ name: "V(s)", hint: "expected reward" }]} />
    </section>
  );
}
