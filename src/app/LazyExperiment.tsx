/** The form of an experiment and its status: below the first screen, so loaded after it. */
import { lazyPart } from "../ui/parts/lazyPart.tsx";
import { appWords } from "./strings.ts";

export const LazyExperiment = lazyPart(
  "ExperimentCell",
  () => import("./ExperimentCell.tsx"),
  appWords.loading,
);
