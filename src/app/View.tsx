/** The views beside the notebook; each is loaded when it is first shown, and none takes the run with it. */
import { lazyPart } from "../ui/parts/lazyPart.tsx";
import { ExperimentContext, type Experiment } from "../store/hooks.ts";
import { ExperimentCell } from "./ExperimentCell.tsx";
import type { Experiments } from "./experiments.ts";
import { MachineView } from "./MachineView.tsx";
import type { Route } from "./route.ts";
import { strings } from "./strings.ts";

const LensView = lazyPart(
  "LensView",
  () => import("./LensView.tsx"),
  strings.loading,
  (props) => {
    const first = props.experiments?.values().next().value;
    return first && <RunOf experiment={first} />;
  },
);

/** Texts and formulas of all algorithms, for who wants to read them. */
const AlgorithmsView = lazyPart(
  "AlgorithmsView",
  () => import("./AlgorithmsView.tsx"),
  strings.loading,
);

/** Only who goes shopping loads a shop. */
const ShopView = lazyPart("ShopView", () => import("./ShopView.tsx"), strings.shopOpening);

interface ViewProps {
  route: Route;
  experiments: Experiments | null;
  /** Address of the notebook. */
  back: string;
}

export function View({ route, experiments, back }: ViewProps) {
  switch (route) {
    case "notebook":
      return null;
    case "lens":
      return <LensView experiments={experiments} back={back} />;
    case "machine":
      return <MachineView experiments={experiments} back={back} />;
    case "algorithms":
      return <AlgorithmsView back={back} />;
    case "shop":
      return <ShopView back={back} />;
  }
}

/** The run and its buttons, where the view around them is not there. */
export function RunOf({ experiment }: { experiment: Experiment }) {
  return (
    <ExperimentContext value={experiment}>
      <ExperimentCell folded />
    </ExperimentContext>
  );
}
