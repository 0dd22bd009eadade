/** The page's parts, each as it is used: to be looked at by eye and by the tests. */
import { Meanings } from "../../src/draw/NumbersView.tsx";
import { useState } from "react";
import { Badge } from "../../src/ui/Badge.tsx";
import { Button } from "../../src/ui/Button.tsx";
import { Confirm } from "../../src/ui/Confirm.tsx";
import { TextTable } from "../../src/ui/DataTable.tsx";
import { Empty } from "../../src/ui/Empty.tsx";
import { CheckBox, Field, InlineField } from "../../src/ui/Field.tsx";
import { Folded } from "../../src/ui/Folded.tsx";
import { Icon } from "../../src/ui/Icon.tsx";
import { IconButton } from "../../src/ui/IconButton.tsx";
import { Menu, MenuGroup, MenuItem, MenuLine } from "../../src/ui/Menu.tsx";
import { MoreMenu } from "../../src/ui/MoreMenu.tsx";
import { Sheet } from "../../src/ui/Sheet.tsx";
import { Toasts } from "../../src/ui/Toasts.tsx";
import { say } from "../../src/ui/toasts.ts";
import { Trouble } from "../../src/ui/Trouble.tsx";

const nothing = () => undefined;

export function Parts() {
  const [asks, setAsks] = useState(false);
  const [isOpen, setOpen] = useState(false);
  return (
    <main>
      <article className="story" data-testid="story">
        <h1>Parts</h1>
        <Buttons onAsk={() => setAsks(true)} onSheet={() => setOpen(true)} />
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
        <Button onClick={() => setAsks(false)}>Discard</Button>
      </Confirm>
      <Sheet open={isOpen} onOpenChange={setOpen} title="Keyboard" testId="parts-sheet">
        <p>Space runs and pauses.</p>
      </Sheet>
      <Toasts />
    </main>
  );
}

function Buttons({ onAsk, onSheet }: { onAsk: () => void; onSheet: () => void }) {
  return (
    <section className="panel" aria-label="Buttons">
      <h2>Buttons and menus</h2>
      <div className="buttons">
        <Button look="primary">
          <Icon name="play" />
          Run
        </Button>
        <Button onClick={onAsk}>Ask</Button>
        <Button onClick={onSheet}>Sheet</Button>
        <Button look="quiet">Quiet</Button>
        <Button disabled>Not now</Button>
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
        <Menu align="start" trigger={<Button data-testid="parts-panels">Panels</Button>}>
          <MenuGroup name="Curves">
            <MenuItem>Curves</MenuItem>
            <MenuItem className="menu-within">Health</MenuItem>
          </MenuGroup>
          <MenuLine />
          <MenuItem data-testid="parts-close">Close pane</MenuItem>
        </Menu>
      </div>
    </section>
  );
}

const sayDeleted = () => say({ text: "Deleted “Credit”.", action: { name: "Undo", run: nothing } });

function Fields() {
  return (
    <section className="panel" aria-label="Fields">
      <h2>Fields</h2>
      <div className="fields">
        <Field label="Iterations" hint="1 to 10,000">
          {(control) => <input {...control} defaultValue="50" />}
        </Field>
        <Field label="Boxes" hint="1 to 4 boxes" problem="Boxes must be 1 to 4, not 9.">
          {(control) => <input {...control} defaultValue="9" />}
        </Field>
        <Field label="Backend">
          {(control) => (
            <select {...control} defaultValue="auto">
              <option value="auto">automatic</option>
            </select>
          )}
        </Field>
      </div>
      <InlineField label="Seed">
        <input type="number" defaultValue={1} />
      </InlineField>
      <CheckBox defaultChecked>GRPO</CheckBox>
      <CheckBox type="radio" name="tool" defaultChecked>
        Wall
      </CheckBox>
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
      <Empty data-testid="parts-empty">No episodes yet. Press Run.</Empty>
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
      <Meanings
        block={{
          kind: "meanings",
          title: "What the rows mean",
          items: [{ name: "V(s)", hint: "expected reward" }],
        }}
      />
    </section>
  );
}
