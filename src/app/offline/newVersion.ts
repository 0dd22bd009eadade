/** The page's message to a new version's service worker: take over. */
export const NEW_VERSION = "turnbook-new-version";
