/** Addresses in the glossary. */
import type { Manifest } from "../../figures/manifest.ts";

export const GLOSSARY_HASH = "#glossary";

/** The terms of one panel. */
export const panelTermsHref = ({ id }: Manifest) => `${GLOSSARY_HASH}-panel-${id}`;
