/** The panels of the lens with their components; each is loaded when it is first opened. */
import { createElement, type ComponentType } from "react";
import type { SettingTable } from "../store/lensCodecs.ts";
import type { FigureParts } from "../draw/FigureView.tsx";
import type { FigurePanel } from "../figures/figure.ts";
import { servedText } from "../ui/parts/served.ts";
import { lazyPart, type LazyPart } from "../ui/parts/lazyPart.tsx";
import { words } from "./lens/words.ts";
import { manifests, type PanelId } from "./manifests.ts";
import { RunPanel } from "./run/RunPanel.tsx";
import type { Manifest } from "../figures/manifest.ts";

export interface LensPanel extends Manifest<PanelId> {
  Panel: PanelComponent;
}

type PanelComponent = ComponentType & Partial<Pick<LazyPart<object>, "part">>;

/** A panel that is a figure: its file, what draws it, and the panel's own parts come together. */
function ofFigure<S extends SettingTable, Read>(
  file: string,
  load: () => Promise<FigurePanel<S, Read>>,
  part?: { file: string; load: () => Promise<FigureParts> },
): LazyPart<object> {
  const open = async () => {
    const view = import("./shared/FigurePanelView.tsx");
    const [of, parts, { FigurePanelView }] = await Promise.all([load(), part?.load() ?? {}, view]);
    return { Figure: () => createElement(FigurePanelView<S, Read>, { of, parts }) };
  };
  const chunks = ["FigurePanelView", file, ...(part ? [part.file] : [])];
  return lazyPart("Figure", open, words.opening, undefined, chunks);
}

const components: Record<PanelId, PanelComponent> = {
  curves: lazyPart("CurvesLens", () => import("./curves/CurvesLens.tsx"), words.opening),
  ribbon: ofFigure(
    "ribbon",
    async () => (await import("../figures/ribbon/ribbon.ts")).ribbonPanel,
    {
      file: "RibbonTable",
      load: async () => ({ table: (await import("./ribbon/RibbonTable.tsx")).RibbonTable }),
    },
  ),
  episodes: ofFigure(
    "episodes",
    async () => (await import("../figures/episodes/episodes.ts")).episodesPanel,
  ),
  turns: ofFigure("turns", async () => (await import("../figures/turns/turns.ts")).turnsPanel, {
    file: "turnParts",
    load: async () => (await import("./turns/turnParts.tsx")).turnParts,
  }),
  credits: ofFigure(
    "credits",
    async () => (await import("../figures/credits/credits.ts")).creditsPanel,
  ),
  formula: lazyPart("FormulaPanel", () => import("./formula/FormulaPanel.tsx"), words.opening),
  group: ofFigure("group", async () => (await import("../figures/group/group.ts")).groupPanel),
  tokens: ofFigure(
    "tokens",
    async () => (await import("../figures/tokens/tokens.ts")).tokensPanel,
    {
      file: "ConversationView",
      load: async () => ({
        conversation: (await import("./tokens/ConversationView.tsx")).ConversationView,
      }),
    },
  ),
  clip: ofFigure("clip", async () => (await import("../figures/clip/clip.ts")).clipPanel),
  critic: ofFigure(
    "critic",
    async () => (await import("../figures/critic/critic.ts")).criticPanel,
    {
      file: "LandscapeSection",
      load: async () => ({
        landscape: (await import("./critic/LandscapeSection.tsx")).LandscapeSection,
      }),
    },
  ),
  confidence: ofFigure(
    "confidence",
    async () => (await import("../figures/confidence/confidence.ts")).confidencePanel,
  ),
  byTurn: ofFigure("byTurn", async () => (await import("../figures/byTurn/byTurn.ts")).byTurnPanel),
  fork: lazyPart("ForkPanel", () => import("./fork/ForkPanel.tsx"), words.opening),
  playground: lazyPart(
    "PlaygroundPanel",
    () => import("./playground/PlaygroundPanel.tsx"),
    words.opening,
  ),
  doctor: ofFigure("doctor", async () => (await import("../figures/doctor/doctor.ts")).doctorPanel),
  speed: ofFigure("speed", async () => (await import("../figures/speed/speed.ts")).speedPanel),
  gradient: ofFigure("gradient", async () => {
    const { gradientPanel } = await import("../figures/gradient/gradient.ts");
    const { FIGURE_FILE, readFigure } = await import("../figures/gradient/recorded.ts");
    return gradientPanel(await servedText(FIGURE_FILE).then(readFigure, () => null));
  }),
  run: RunPanel,
  story: ofFigure("story", async () => (await import("../figures/story/story.ts")).storyPanel),
};

export const lensPanels: readonly LensPanel[] = manifests.map((manifest) => ({
  ...manifest,
  Panel: components[manifest.id],
}));
