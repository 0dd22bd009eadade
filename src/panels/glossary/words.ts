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
  ofPanel: (title: string) => `Terms of the panel “${title}”.`,
  showAll: "Show all",
} as const;
