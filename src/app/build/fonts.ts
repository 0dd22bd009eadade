/** At build: the fonts of the first screen are preloaded with the page, before its styles are read. */
import type { Plugin } from "vite";

/** Interface, prose, and monospaced letters; the others load when a letter needs them. */
const FIRST =
  /(inter-latin-wght-normal|source-serif-4-latin-wght-normal|jetbrains-mono-ascii)[^/]*\.woff2$/;

export const fonts: Plugin = {
  name: "turnbook-fonts",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler: (_html, { bundle, path }) => {
      if (path !== "/index.html") return [];
      return Object.keys(bundle!)
        .filter((name) => FIRST.test(name))
        .map((name) => ({
          tag: "link",
          attrs: {
            rel: "preload",
            as: "font",
            type: "font/woff2",
            href: `./${name}`,
            crossorigin: "",
          },
          injectTo: "head-prepend" as const,
        }));
    },
  },
};
