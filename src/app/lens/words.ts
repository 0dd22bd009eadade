/** UI texts of the lens as a workspace. */
import type { LayoutName } from "../../store/layouts.ts";

const layouts: Record<LayoutName, string> = {
  why: "Why this credit?",
  words: "What was said?",
  health: "Is the run healthy?",
  critic: "Does the critic know?",
  compare: "Compare methods",
  logs: "My own logs",
};

export const words = {
  layouts: "Layouts",
  layout: layouts,
  save: "Save this layout",
  saveItem: "Save this layout …",
  saveName: "Name of the layout",
  saveNow: "Save",
  forget: (name: string) => `Delete layout ${name}`,
  openRun: "Open a run",
  openFile: "Open files",
  openFolder: "Open a folder",
  panels: "Panels",
  switchFrom: (title: string) => `${title}: other panels and layouts`,
  panes: "Panes of the lens",
  options: (title: string) => `Options of ${title}`,
  about: (title: string) => `What ${title} shows`,
  arrange: (title: string) => `Arrange ${title}`,
  expand: (title: string) => `Expand ${title}`,
  close: "Close",
  moves: {
    left: "Move to the left",
    right: "Move to the right",
    top: "Move up",
    bottom: "Move down",
    next: "Move to the next group",
  },
} as const;
