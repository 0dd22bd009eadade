/** The views besides the notebook; each is loaded when first shown, and none stops the run. */
import { lazyPart } from "../ui/parts/lazyPart.tsx";
import { ExperimentContext, type ExperimentHandle } from "../store/hooks.ts";
import { LazyExperiment } from "./LazyExperiment.tsx";
import type { Route } from "./route.ts";
import { appWords } from "./strings.ts";

const LensView = lazyPart(
  "LensView",
  () => import("./lens/LensView.tsx"),
  appWords.loading,
  ({ experiment }) => experiment && <RunOf experiment={experiment} />,
);

/** Resolves once the lens's code is there, or is not to be had. */
export const warmLens = (): Promise<unknown> => LensView.part.warm();

/** Texts and formulas of all algorithms, for readers who want them. */
const AlgorithmsView = lazyPart(
  "AlgorithmsView",
  () => import("./AlgorithmsView.tsx"),
  appWords.loading,
);

const MachineView = lazyPart("MachineView", () => import("./MachineView.tsx"), appWords.loading);
const GalleryView = lazyPart(
  "GalleryView",
  () => import("./book/GalleryView.tsx"),
  appWords.loading,
);

const GlossaryView = lazyPart("GlossaryView", () => import("./GlossaryView.tsx"), appWords.loading);

/** Only a link of the algorithms' page leads there. */
const RefereeView = lazyPart("RefereeView", () => import("./RefereeView.tsx"), appWords.loading);

/** Only links lead there, as that of “This machine”. */
const ModelView = lazyPart("ModelView", () => import("./model/ModelView.tsx"), appWords.loading);

/** Only links of students lead there. */
const ClassCodeView = lazyPart(
  "ClassCodeView",
  () => import("./lesson/ClassCodeView.tsx"),
  appWords.loading,
);

/** A shop is loaded only for readers who open it. */
const ShopView = lazyPart("ShopView", () => import("./ShopView.tsx"), appWords.shopOpening);

interface ViewProps {
  route: Route;
  /** The experiment that is the page's subject. */
  first: ExperimentHandle | undefined;
  /** Address of the notebook. */
  back: string;
  /** The run that the shop shows; undefined elsewhere. */
  shop: ExperimentHandle | undefined;
}

export function View({ route, first, back, shop }: ViewProps) {
  switch (route) {
    case "notebook":
      return null;
    case "lens":
      return <LensView experiment={first} />;
    case "gallery":
      return <GalleryView />;
    case "own":
      return <GalleryView isOwn />;
    case "machine":
      return <MachineView back={back} />;
    case "algorithms":
      return <AlgorithmsView back={back} />;
    case "glossary":
      return <GlossaryView back={back} />;
    case "shop":
      return <ShopView back={back} run={shop} />;
    case "referee":
      return <RefereeView back={back} />;
    case "model":
      return <ModelView back={back} experiment={first} />;
    case "class":
      return <ClassCodeView back={back} />;
  }
}

/** The run and its buttons, for pages without the surrounding view. */
export function RunOf({ experiment }: { experiment: ExperimentHandle }) {
  return (
    <ExperimentContext value={experiment}>
      <LazyExperiment folded />
    </ExperimentContext>
  );
}
