/** An engine's reproducibility, in the words of the page and of README (a test compares them). */
export const PROMISES = {
  everywhere: "Same experiment, same numbers, on every computer.",
  device: "Same experiment, same numbers, on one device with one browser and driver.",
  no: "Not bit-reproducible: the same experiment gives slightly different numbers each time.",
} as const;

export type Promised = keyof typeof PROMISES;
