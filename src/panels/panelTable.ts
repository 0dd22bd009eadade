/** The panels of the lens with their components; each is loaded when it is first opened. */
import type { ComponentType } from "react";
import { lazyPart } from "../ui/parts/lazyPart.tsx";
import { words } from "./lens/words.ts";
import { manifests, type PanelId } from "./manifests.ts";
import { RunPanel } from "./run/RunPanel.tsx";
import type { Manifest } from "./shared/manifest.ts";

export interface LensPanel extends Manifest<PanelId> {
  Panel: ComponentType;
}

const components: Record<PanelId, ComponentType> = {
  curves: lazyPart("CurvesLens", () => import("./curves/CurvesLens.tsx"), words.opening),
  ribbon: lazyPart("RibbonPanel", () => import("./ribbon/RibbonPanel.tsx"), words.opening),
  episodes: lazyPart("EpisodesPanel", () => import("./episodes/EpisodesPanel.tsx"), words.opening),
  turns: lazyPart("TurnsPanel", () => import("./turns/TurnsPanel.tsx"), words.opening),
  credits: lazyPart("CreditsPanel", () => import("./credits/CreditsPanel.tsx"), words.opening),
  formula: lazyPart("FormulaPanel", () => import("./formula/FormulaPanel.tsx"), words.opening),
  group: lazyPart("GroupPanel", () => import("./group/GroupPanel.tsx"), words.opening),
  tokens: lazyPart("TokensPanel", () => import("./tokens/TokensPanel.tsx"), words.opening),
  clip: lazyPart("ClipPanel", () => import("./clip/ClipPanel.tsx"), words.opening),
  critic: lazyPart("CriticPanel", () => import("./critic/CriticPanel.tsx"), words.opening),
  byTurn: lazyPart("ByTurnPanel", () => import("./byTurn/ByTurnPanel.tsx"), words.opening),
  fork: lazyPart("ForkPanel", () => import("./fork/ForkPanel.tsx"), words.opening),
  playground: lazyPart(
    "PlaygroundPanel",
    () => import("./playground/PlaygroundPanel.tsx"),
    words.opening,
  ),
  doctor: lazyPart("DoctorPanel", () => import("./doctor/DoctorPanel.tsx"), words.opening),
  speed: lazyPart("SpeedPanel", () => import("./speed/SpeedPanel.tsx"), words.opening),
  gradient: lazyPart("GradientPanel", () => import("./gradient/GradientPanel.tsx"), words.opening),
  run: RunPanel,
};

export const lensPanels: readonly LensPanel[] = manifests.map((manifest) => ({
  ...manifest,
  Panel: components[manifest.id],
}));
