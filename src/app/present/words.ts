/** Words of present mode, and of figures that stand in another page. */
export const words = {
  bar: "Present mode",
  none: "This page has no figure.",
  leave: "Leave",
  previous: "Previous figure",
  next: "Next figure",
  then: "Next:",
  place: (at: number, all: number) => `${at} of ${all}`,
  run: "Run",
  pause: "Pause",
  live: "Live",
  recorded: "Recorded",
  other: "Another run, recorded",
  iteration: (at: number, all: number) => `iteration ${at} of ${all}`,
  open: "Open in Turnbook",
  missing: (id: string) => `This page has no figure “${id}”.`,
} as const;
