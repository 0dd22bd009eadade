/** What the page tells a new version's service worker that is to take over. */
export const NEW_VERSION = "turnbook-new-version";
