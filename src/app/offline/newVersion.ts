/** The page's message to a new version's service worker: it is to take over. */
export const NEW_VERSION = "turnbook-new-version";
