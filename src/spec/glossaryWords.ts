/**
 * How prose refers to the glossary's terms: words that have only one meaning. Everyday words, such
 * as turn, return and value, are left out.
 */
export const glossaryWords = {
  episode: ["episode"],
  token: ["token"],
  iteration: ["iteration"],
  "held-out": ["held-out levels", "held-out"],
  credit: ["credit assignment", "credit"],
  "td-error": ["TD error"],
  advantage: ["advantage"],
  gae: ["GAE"],
  baseline: ["baseline"],
  "process-reward": ["process reward"],
  policy: ["policy"],
  "log-prob": ["log-prob", "log-probability"],
  "dual-clip": ["dual clip"],
  "clip-fraction": ["clip fraction"],
  entropy: ["entropy"],
  kl: ["KL divergence", "KL"],
  reference: ["reference policy"],
  gradient: ["policy gradient"],
  critic: ["critic"],
  "explained-variance": ["explained variance"],
  truth: ["true value"],
  fingerprint: ["fingerprint"],
  checkpoint: ["checkpoint"],
  iqm: ["interquartile mean"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
