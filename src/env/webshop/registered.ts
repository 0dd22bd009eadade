/** The names under which shops are made, apart from the descriptor: whoever makes one needs all of it. */
import { entry } from "../descriptor.ts";
import { generateCatalogue } from "./generate/generateCatalogue.ts";
import { WEBSHOP_DEFAULTS, WebShopEnv } from "./webshopEnv.ts";

export const webshopEntries = [
  entry({
    name: "WebShop-v0",
    about: "a shopping trip in a generated WebShop",
    defaults: { catalogSeed: 1, ...WEBSHOP_DEFAULTS },
    create: ({ catalogSeed, ...rest }) => new WebShopEnv(generateCatalogue(catalogSeed), rest),
  }),
];
