/** The shell: header, notebook, help, and one live region. */
import { useEffect, useState, useSyncExternalStore } from "react";
import { parseNotebook, type Notebook } from "../notebook/document.ts";
import { createExperiments, fetchText, type Experiments } from "./experiments.ts";
import { syncHash } from "./hashSync.ts";
import { HelpDialog } from "./HelpDialog.tsx";
import { LiveRegion } from "./LiveRegion.tsx";
import { NotebookView } from "./NotebookView.tsx";
import { strings } from "./strings.ts";
import { currentTheme, onThemeChange, toggleTheme } from "./theme.ts";
import { useKeyboard } from "./useKeyboard.ts";

const FIRST_NOTEBOOK = "notebooks/first.md";

interface Opened {
  notebook: Notebook;
  warnings: string[];
  experiments: Experiments;
}

type Loading =
  { state: "loading" } | { state: "failed"; message: string } | ({ state: "open" } & Opened);

async function openNotebook(path: string): Promise<Opened> {
  const { notebook, warnings } = parseNotebook(await fetchText(path));
  return { notebook, warnings, experiments: createExperiments(notebook) };
}

export function App() {
  const [loading, retry] = useNotebook();
  const [helpOpen, setHelpOpen] = useState(false);
  const experiments = loading.state === "open" ? loading.experiments : null;
  useKeyboard(experiments, () => setHelpOpen(true));
  return (
    <>
      <a className="skip-link" href="#notebook">
        {strings.skip}
      </a>
      <Header onHelp={() => setHelpOpen(true)} />
      <main id="notebook" tabIndex={-1}>
        {loading.state === "loading" && <p className="empty">{strings.loading}</p>}
        {loading.state === "failed" && <LoadFailure message={loading.message} onRetry={retry} />}
        {loading.state === "open" && <NotebookView {...loading} />}
      </main>
      <HelpDialog open={helpOpen} onOpenChange={setHelpOpen} />
      {experiments && <LiveRegion experiments={experiments} />}
    </>
  );
}

function useNotebook(): [Loading, retry: () => void] {
  const [loading, setLoading] = useState<Loading>({ state: "loading" });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let stop = () => {};
    let current = true;
    openNotebook(FIRST_NOTEBOOK).then(
      (opened) => {
        if (!current) return;
        const first = opened.experiments.values().next().value;
        if (first) stop = syncHash(first.store);
        setLoading({ state: "open", ...opened });
        document.title = `${opened.notebook.title} · ${strings.title}`;
      },
      (error: unknown) => current && setLoading({ state: "failed", message: String(error) }),
    );
    return () => {
      current = false;
      stop();
    };
  }, [attempt]);
  return [loading, () => setAttempt((n) => n + 1)];
}

function Header({ onHelp }: { onHelp: () => void }) {
  const theme = useSyncExternalStore(onThemeChange, currentTheme);
  return (
    <header className="page-header">
      <span className="brand">{strings.title}</span>
      <span className="spacer" />
      <button type="button" className="quiet" onClick={onHelp} data-testid="help-button">
        {strings.help}
      </button>
      <button type="button" className="quiet" onClick={toggleTheme} data-testid="theme-button">
        {theme === "dark" ? strings.toLight : strings.toDark}
      </button>
    </header>
  );
}

function LoadFailure({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div role="alert" className="notice notice-problem">
      <strong>{strings.notebookFailed}</strong>
      <p>{message}</p>
      <button type="button" onClick={onRetry}>
        {strings.retry}
      </button>
    </div>
  );
}
