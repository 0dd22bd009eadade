/** Words of figures with handles. */
export const exploreWords = {
  reset: "Start again",
};
