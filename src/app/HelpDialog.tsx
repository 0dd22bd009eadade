/** The action table as a help dialog, with the switch for single keys. */
import { useStore } from "zustand";
import { preferences, setPreferences, type Preferences } from "../store/preferences.ts";
import { Folded } from "../ui/Folded.tsx";
import { DataTable, type TableColumn } from "../ui/DataTable.tsx";
import { actions, keyName, scopes } from "./actions.ts";
import type { PanelKey } from "../figures/manifest.ts";
import { appWords } from "./strings.ts";
import { Sheet } from "../ui/Sheet.tsx";
import { CheckBox } from "../ui/Field.tsx";

const selectShortcuts = (state: Preferences) => state.shortcuts;

interface HelpDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function HelpDialog({ open, onOpenChange }: HelpDialogProps) {
  const shortcuts = useStore(preferences, selectShortcuts);
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={appWords.helpTitle}
      className="help"
      testId="help-dialog"
      beside={
        <CheckBox
          checked={shortcuts}
          onChange={({ target }) => setPreferences({ shortcuts: target.checked })}
        >
          {appWords.shortcuts}
        </CheckBox>
      }
    >
      <KeyTables wanted={FIRST} />
      <Folded title={appWords.helpMore} className="key-more" testId="help-more">
        <KeyTables wanted={OTHERS} />
      </Folded>
    </Sheet>
  );
}

/**
 * Scopes of keys that work nearly everywhere; the others belong to one place each, and are
 * collapsed.
 */
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

const KEY_COLUMNS: readonly TableColumn<PanelKey>[] = [
  { id: "name", head: null, kind: "name", cell: ({ name }) => name },
  {
    id: "keys",
    head: null,
    cell: ({ keys }) => keys.map((key) => <kbd key={key}>{keyName(key)}</kbd>),
  },
];
