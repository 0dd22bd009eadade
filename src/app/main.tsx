// First: what comes later overrules it.
import "./styles/all.ts";
import { createRoot } from "react-dom/client";
import { ActionKeys } from "../ui/actionKeys.ts";
import { retryWhenOnline } from "../ui/parts/part.ts";
import { firstKeyOf } from "./actions.ts";
import { App } from "./App.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { followTheme } from "./theme.ts";

// Otherwise public/needs.js says what is missing.
document.documentElement.dataset["started"] = "";
followTheme();
retryWhenOnline(window);
createRoot(document.getElementById("root")!).render(
  <ErrorBoundary>
    <ActionKeys value={firstKeyOf}>
      <App />
    </ActionKeys>
  </ErrorBoundary>,
);
