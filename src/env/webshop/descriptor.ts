/** WebShop as data. Its goals come from a catalogue, so that training has a family of its own for it. */
import { describe, entry } from "../descriptor.ts";
import { generateCatalogue } from "./generate/generateCatalogue.ts";
import { WEBSHOP_DEFAULTS, WebShopEnv } from "./webshopEnv.ts";

export const webshop = describe({
  kind: "webshop",
  title: "Shop",
  registered: [
    entry({
      name: "WebShop-v0",
      about: "a shopping trip in a generated WebShop",
      defaults: { catalogSeed: 1, ...WEBSHOP_DEFAULTS },
      create: ({ catalogSeed, ...rest }) => new WebShopEnv(generateCatalogue(catalogSeed), rest),
    }),
  ],
  fields: [
    { path: "environment.catalogSeed", label: "Shop", hint: "Seed of its products and goals" },
    { path: "environment.maxTurns", label: "Turns at most" },
    {
      path: "environment.think",
      label: "Think first",
      options: [
        { value: "false", label: "no" },
        { value: "true", label: "yes" },
      ],
    },
    { path: "clone.noise", label: "Expert's noise", hint: "Share of its turns that are random" },
  ],
  answers: { form: "one action", example: "click[buy now] or search[red shoes]" },
  // A page is drawn as a page.
  picture: () => null,
  ragen: { tag: "TurnbookWebShop", type: "webshop", instruction: "", settings: {} },
  training: null,
});
