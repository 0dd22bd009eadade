/** The action table as a help dialog, with the switch for single keys. */
import { useRef } from "react";
import { Dialog } from "radix-ui";
import { useStore } from "zustand";
import { preferences, setPreferences, type Preferences } from "../store/preferences.ts";
import { Folded } from "../ui/Folded.tsx";
import { DataTable, type TableColumn } from "../ui/DataTable.tsx";
import { actions, keyName, scopes, type ShellAction } from "./actions.ts";
import { appWords } from "./strings.ts";

const selectShortcuts = (state: Preferences) => state.shortcuts;

interface HelpDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function HelpDialog({ open, onOpenChange }: HelpDialogProps) {
  const shortcuts = useStore(preferences, selectShortcuts);
  const before = useRef<Element | null>(null);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <div className="overlay" />
        <Dialog.Content
          className="dialog help"
          aria-describedby={undefined}
          data-testid="help-dialog"
          onOpenAutoFocus={() => (before.current = document.activeElement)}
          onCloseAutoFocus={(event) => {
            // A key may have opened it: Radix knows of no button to go back to.
            event.preventDefault();
            if (before.current instanceof HTMLElement) before.current.focus();
          }}
        >
          <div className="help-top">
            <Dialog.Title>{appWords.helpTitle}</Dialog.Title>
            <label className="check">
              <input
                type="checkbox"
                checked={shortcuts}
                onChange={({ target }) => setPreferences({ shortcuts: target.checked })}
              />
              {appWords.shortcuts}
            </label>
            <Dialog.Close asChild>
              <button type="button">{appWords.close}</button>
            </Dialog.Close>
          </div>
          <KeyTables wanted={FIRST} />
          <Folded title={appWords.helpMore} className="key-more" testId="help-more">
            <KeyTables wanted={OTHERS} />
          </Folded>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What works nearly everywhere; the rest belongs to one place each, and is folded. */
const FIRST = ["page", "turns"];
const OTHERS = Object.keys(scopes).filter((scope) => !FIRST.includes(scope));

function KeyTables({ wanted }: { wanted: readonly string[] }) {
  return (
    <div className="key-groups">
      {wanted.map((scope) => (
        <KeyTable key={scope} scope={scope} title={scopes[scope]!} />
      ))}
    </div>
  );
}

function KeyTable({ title, scope }: { title: string; scope: string }) {
  return (
    <DataTable
      headless
      className="keys"
      caption={title}
      columns={KEY_COLUMNS}
      rows={actions.filter((action) => action.scope === scope && action.keys.length > 0)}
      keyOf={({ id }) => id}
    />
  );
}

const KEY_COLUMNS: readonly TableColumn<ShellAction>[] = [
  { id: "name", head: null, kind: "name", cell: ({ name }) => name },
  {
    id: "keys",
    head: null,
    cell: ({ keys }) => keys.map((key) => <kbd key={key}>{keyName(key)}</kbd>),
  },
];
