/** At build: the page's content security policy, as strict as possible. */
import type { Plugin } from "vite";

const POLICY: Record<string, string> = {
  "default-src": "'none'",
  // The kernels are compiled WebAssembly; nothing else is ever evaluated.
  "script-src": "'self' 'wasm-unsafe-eval'",
  "worker-src": "'self'",
  // https: only for a notebook that the reader has asked to fetch (book/fetchNotebook.ts); a test
  // enforces it.
  "connect-src": "'self' https:",
  "img-src": "'self' data: blob:",
  "manifest-src": "'self'",
  "font-src": "'self'",
  "style-src": "'self'",
  // KaTeX positions elements by style attributes; they run nothing and, with the rest of the
  // policy, fetch nothing.
  "style-src-attr": "'unsafe-inline'",
  "base-uri": "'none'",
  "form-action": "'none'",
};

/** Not in development: Vite's own client injects scripts and styles. */
export const policy: Plugin = {
  name: "turnbook-policy",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler: (_html, { path }) => {
      if (path !== "/index.html") return [];
      const content = Object.entries(POLICY)
        .map((rule) => rule.join(" "))
        .join("; ");
      const attrs = { "http-equiv": "Content-Security-Policy", content };
      return [{ tag: "meta", attrs, injectTo: "head-prepend" }];
    },
  },
};
