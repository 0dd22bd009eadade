import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { followTheme } from "./theme.ts";
import "./styles/theme.css";
import "./styles/app.css";
import "./styles/experiment.css";
import "./styles/charts.css";
import "./styles/panels.css";
import "./styles/machine.css";
import "./styles/shop.css";
import "./styles/lens.css";
import "./styles/import.css";
import "./styles/credits.css";
import "./styles/formula.css";
import "./styles/ribbon.css";
import "./styles/group.css";
import "./styles/tokens.css";
import "./styles/clip.css";
import "./styles/critic.css";
import "./styles/fork.css";
import "./styles/playground.css";
import "./styles/doctor.css";
import "./styles/speed.css";
import "./styles/curves.css";

followTheme();
createRoot(document.getElementById("root")!).render(
  <ErrorBoundary>
    <App />
  </ErrorBoundary>,
);
