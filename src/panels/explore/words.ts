/** UI texts of interactive figures. */
export const exploreWords = {
  quantity: "Quantity",
  reset: "Start again",
};
