/** UI texts of the glossary page. */
import { counted } from "../../numeric/counted.ts";

export const words = {
  title: "Glossary",
  intro: "Every term of this page, with one meaning each.",
  back: "Back to the notebook",
  search: "Search",
  shown: (n: number, all: number) => (n === all ? counted(n, "term") : `${n} of ${all} terms`),
  none: "No term matches.",
  source: "Defined in",
  verl: "verl",
  causes: "Causes, in the story of a run",
  measuredBy: (by: string) => `Measured by ${by}`,
  story: "the story of a run",
  ofPanel: (title: string) => `Terms of the panel “${title}”.`,
  showAll: "Show all",
} as const;
