/** The panels of the lens, in the order in which they stand; each is loaded when it is first opened. */
import { lazy, type ComponentType } from "react";
import type { PanelId } from "../../store/lens.ts";

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
    Panel: lazy(async () => ({ default: (await import("../curves/CurvesLens.tsx")).CurvesLens })),
  },
  {
    id: "ribbon",
    title: "Turn ribbon",
    about: "One episode in a row: what the critic expected, and where it was surprised.",
    Panel: lazy(async () => ({ default: (await import("../ribbon/RibbonPanel.tsx")).RibbonPanel })),
  },
  {
    id: "episodes",
    title: "Episodes",
    about: "Find an episode: by reward, surprise or clip, or by what was said in it.",
    Panel: lazy(async () => ({
      default: (await import("../episodes/EpisodesPanel.tsx")).EpisodesPanel,
    })),
  },
  {
    id: "turns",
    title: "Turn by turn",
    about: "What was seen, written and earned in each turn of one episode.",
    Panel: lazy(async () => ({ default: (await import("../turns/TurnsPanel.tsx")).TurnsPanel })),
  },
  {
    id: "credits",
    title: "One episode, many credits",
    about: "What each algorithm would make of the same turns, with sliders and the truth.",
    Panel: lazy(async () => ({
      default: (await import("../credits/CreditsPanel.tsx")).CreditsPanel,
    })),
  },
  {
    id: "formula",
    title: "Formula",
    about: "An algorithm's objective with the numbers of the chosen turn or token in it.",
    Panel: lazy(async () => ({
      default: (await import("../formula/FormulaPanel.tsx")).FormulaPanel,
    })),
  },
  {
    id: "group",
    title: "Group",
    about: "The rollouts of one task side by side: who earned more, and what that teaches.",
    Panel: lazy(async () => ({ default: (await import("../group/GroupPanel.tsx")).GroupPanel })),
  },
  {
    id: "tokens",
    title: "Tokens",
    about: "What was said, token by token: how likely each was, and the credit it got.",
    Panel: lazy(async () => ({ default: (await import("../tokens/TokensPanel.tsx")).TokensPanel })),
  },
  {
    id: "clip",
    title: "Clip",
    about: "How far ratios went, and what the clip cut.",
    Panel: lazy(async () => ({ default: (await import("../clip/ClipPanel.tsx")).ClipPanel })),
  },
  {
    id: "critic",
    title: "Critic",
    about: "Was the critic right? Its guesses beside what came, and beside the truth.",
    Panel: lazy(async () => ({ default: (await import("../critic/CriticPanel.tsx")).CriticPanel })),
  },
  {
    id: "fork",
    title: "Counterfactual fork",
    about: "What if: another response or board from one turn on, played many times.",
    Panel: lazy(async () => ({ default: (await import("../fork/ForkPanel.tsx")).ForkPanel })),
  },
  {
    id: "playground",
    title: "Playground",
    about: "Play yourself with the policy looking on, or let it take over.",
    Panel: lazy(async () => ({
      default: (await import("../playground/PlaygroundPanel.tsx")).PlaygroundPanel,
    })),
  },
  {
    id: "doctor",
    title: "Doctor",
    about: "Is this run collapsing? What says so, since when, and what helps.",
    Panel: lazy(async () => ({ default: (await import("../doctor/DoctorPanel.tsx")).DoctorPanel })),
  },
  {
    id: "speed",
    title: "Speed",
    about: "Where the time goes, and how much memory is held.",
    Panel: lazy(async () => ({ default: (await import("../speed/SpeedPanel.tsx")).SpeedPanel })),
  },
];
