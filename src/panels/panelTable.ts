/** The panels of the lens, in the order in which they stand; each is loaded when it is first opened. */
import type { ComponentType } from "react";
import type { PanelId } from "../store/lens.ts";
import { lazyPart } from "../ui/parts/lazyPart.tsx";
import { words } from "./lens/words.ts";

export interface LensPanel {
  id: PanelId;
  title: string;
  /** One sentence: what question it answers. */
  about: string;
  Panel: ComponentType;
}

export const lensPanels: readonly LensPanel[] = [
  {
    id: "curves",
    title: "Curves",
    about: "How well each method does, iteration by iteration.",
    Panel: lazyPart("CurvesLens", () => import("./curves/CurvesLens.tsx"), words.opening),
  },
  {
    id: "ribbon",
    title: "Turn ribbon",
    about: "One episode in a row: what the critic expected, and where it was surprised.",
    Panel: lazyPart("RibbonPanel", () => import("./ribbon/RibbonPanel.tsx"), words.opening),
  },
  {
    id: "episodes",
    title: "Episodes",
    about: "Find an episode: by reward, surprise or clip, or by what was said in it.",
    Panel: lazyPart("EpisodesPanel", () => import("./episodes/EpisodesPanel.tsx"), words.opening),
  },
  {
    id: "turns",
    title: "Turn by turn",
    about: "What was seen, written and earned in each turn of one episode.",
    Panel: lazyPart("TurnsPanel", () => import("./turns/TurnsPanel.tsx"), words.opening),
  },
  {
    id: "credits",
    title: "One episode, many credits",
    about: "What each algorithm would make of the same turns, with sliders and the truth.",
    Panel: lazyPart("CreditsPanel", () => import("./credits/CreditsPanel.tsx"), words.opening),
  },
  {
    id: "formula",
    title: "Formula",
    about: "An algorithm's objective with the numbers of the chosen turn or token in it.",
    Panel: lazyPart("FormulaPanel", () => import("./formula/FormulaPanel.tsx"), words.opening),
  },
  {
    id: "group",
    title: "Group",
    about: "The rollouts of one task side by side: who earned more, and what that teaches.",
    Panel: lazyPart("GroupPanel", () => import("./group/GroupPanel.tsx"), words.opening),
  },
  {
    id: "tokens",
    title: "Tokens",
    about: "What was said, token by token: how likely each was, and the credit it got.",
    Panel: lazyPart("TokensPanel", () => import("./tokens/TokensPanel.tsx"), words.opening),
  },
  {
    id: "clip",
    title: "Clip",
    about: "How far ratios went, and what the clip cut.",
    Panel: lazyPart("ClipPanel", () => import("./clip/ClipPanel.tsx"), words.opening),
  },
  {
    id: "critic",
    title: "Critic",
    about: "Was the critic right? Its guesses beside what came, and beside the truth.",
    Panel: lazyPart("CriticPanel", () => import("./critic/CriticPanel.tsx"), words.opening),
  },
  {
    id: "fork",
    title: "Counterfactual fork",
    about: "What if: another response or board from one turn on, played many times.",
    Panel: lazyPart("ForkPanel", () => import("./fork/ForkPanel.tsx"), words.opening),
  },
  {
    id: "playground",
    title: "Playground",
    about: "Play yourself with the policy looking on, or let it take over.",
    Panel: lazyPart(
      "PlaygroundPanel",
      () => import("./playground/PlaygroundPanel.tsx"),
      words.opening,
    ),
  },
  {
    id: "doctor",
    title: "Doctor",
    about: "Is this run collapsing? What says so, since when, and what helps.",
    Panel: lazyPart("DoctorPanel", () => import("./doctor/DoctorPanel.tsx"), words.opening),
  },
  {
    id: "speed",
    title: "Speed",
    about: "Where the time goes, and how much memory is held.",
    Panel: lazyPart("SpeedPanel", () => import("./speed/SpeedPanel.tsx"), words.opening),
  },
  {
    id: "gradient",
    title: "Gradient",
    about: "Whose gradient is near the true one, and how much of it is noise.",
    Panel: lazyPart("GradientPanel", withFigure, words.opening),
  },
];

/** The figure comes with its panel, so that it outlives the connection too; the panel says so where it does not come. */
async function withFigure() {
  const panel = await import("./gradient/GradientPanel.tsx");
  await panel.loadFigure().catch(() => undefined);
  return { GradientPanel: panel.GradientPanel };
}
