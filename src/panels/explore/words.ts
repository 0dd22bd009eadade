/** Words of figures with handles. */
export const exploreWords = {
  quantity: "Quantity",
  reset: "Start again",
};
