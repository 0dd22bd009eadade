/** The page itself, in place of the frame that was painted before it. */
import { createRoot } from "react-dom/client";
import { startEstimates } from "../store/estimates.ts";
import { ActionKeys } from "../ui/actionKeys.ts";
import { retryWhenOnline } from "../ui/parts/part.ts";
import { firstKeyOf } from "./actions.ts";
import { followLaunches } from "./offline/launches.ts";
import { App } from "./App.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { followTheme } from "./theme.ts";

followTheme();
startEstimates();
retryWhenOnline(window);
followLaunches();
createRoot(document.getElementById("root")!).render(
  <ErrorBoundary>
    <ActionKeys value={firstKeyOf}>
      <App />
    </ActionKeys>
  </ErrorBoundary>,
);
