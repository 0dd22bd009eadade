/** UI texts of the command palette. */
import { counted } from "../../numeric/counted.ts";

export const words = {
  title: "Go to …",
  placeholder: "Type a panel, an algorithm, a term or an action",
  list: "Results",
  none: (query: string) => `Nothing found for “${query}”.`,
  found: (count: number) => counted(count, "result"),
  groups: {
    actions: "Actions",
    views: "Pages",
    panels: "Panels of the lens",
    causes: "Causes, in the story of a run",
    metrics: "Metrics, in the curves",
    algorithms: "Algorithms",
    presets: "Presets",
    terms: "Glossary",
  },
  opening: "Opening …",
} as const;
