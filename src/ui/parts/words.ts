export const words = {
  failed: "This part of the page did not load",
  trouble: {
    unreachable: "The server cannot be reached. Check the connection; a run continues meanwhile.",
    gone: "The server no longer has this part: Turnbook may have been updated there. A run continues meanwhile; reload the page when it has ended.",
    broken:
      "This browser could not load one of its files. A run continues meanwhile; reload the page when it has ended.",
  },
  formulas: "Formulas did not load, so their TeX source is shown",
  again: "Try again",
  close: "Close",
  message: "Message",
  messages: "Messages ({hotkey})",
} as const;
