/** Colours as WebShop compares them: any text that contains a listed word becomes that word. */

/** The word list of WebShop's `engine/normalize.py`. Its order decides: dark red is dark. */
export const COLORS: readonly string[] = (
  "alabaster apricot aqua ash asphalt azure banana beige black blue blush bordeaux bronze brown " +
  "burgundy camel camo caramel champagne charcoal cheetah chestnut chocolate christmas coffee " +
  "cognac copper coral cranberry cream crystal dark denim eggplant elephant espresso fuchsia gold " +
  "granite grape graphite grass gray green grey heather indigo ivory ivy khaki lavender lemon " +
  "leopard light lilac lime magenta maroon mauve merlot midnight mint mocha multicolor mushroom " +
  "mustard natural navy nude olive orange peach pewter pink plum purple rainbow red rose royal " +
  "rust sand sapphire seashell silver skull slate steel stone stonewash sunflower tan taupe teal " +
  "tiger turquoise violet walnut wheat white wine yellow"
).split(" ");

/** The first listed colour inside the text, or the text itself: "standard" is "tan". */
export function normalizeColor(text: string): string {
  return COLORS.find((color) => text.includes(color)) ?? text;
}
