/** What a check of the browsers is, and what one leaves for the next. */
import type { Tab } from "./tab.ts";

/** What one check leaves for the next, in any browser. */
export interface Shared {
  /** Of the built page; ends in a slash. */
  url: string;
  /** Of the command line's run. */
  fingerprint: string;
  /** Of its run with code. */
  defined: string;
  /** Made in the first browser that trained; null before that. */
  link: string | null;
  /** The same of a run on WebGPU, which reproduces on its own device. */
  gpuLink: string | null;
}

export interface Check {
  what: string;
  /** By the names that the command takes; absent: all. */
  browsers?: readonly string[];
  /** @returns what the table says of it. */
  run(tab: Tab, shared: Shared): Promise<string>;
}
