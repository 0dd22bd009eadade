/** Replaces the frame that was painted first by the page itself. */
import { createRoot } from "react-dom/client";
import { startEstimates } from "../store/estimates.ts";
import { ActionKeys } from "../ui/actionKeys.ts";
import { parts, retryWhenOnline } from "../ui/parts/part.ts";
import { firstKeyOf } from "./actions.ts";
import { followLaunches } from "./offline/launches.ts";
import { App } from "./App.tsx";
import { bookAddressOf } from "./book/bookAddress.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { mendAddresses } from "./mendAddress.ts";
import { taughtId } from "./present/taughtId.ts";
import { lazyPart } from "../ui/parts/lazyPart.tsx";
import { appWords } from "./strings.ts";
import { followTheme } from "./theme.ts";

/** Only for the teacher's window. */
const TeacherWindow = lazyPart(
  "TeacherWindow",
  () => import("./present/TeacherWindow.tsx"),
  appWords.loading,
);
const taught = taughtId();

/** A lesson's parts are nested: requested at once, none waits for the one around it. */
const OF_LESSONS = ["LessonView", "QuizCell", "PanelCell", "ProseText"];

mendAddresses();
if (bookAddressOf(location.hash).kind === "served")
  for (const part of parts) if (OF_LESSONS.includes(part.name)) void part.warm();

followTheme();
startEstimates();
retryWhenOnline(window);
followLaunches();
createRoot(document.getElementById("root")!).render(
  <ErrorBoundary>
    <ActionKeys value={firstKeyOf}>
      {taught === null ? <App /> : <TeacherWindow id={taught} />}
    </ActionKeys>
  </ErrorBoundary>,
);
