/** Which images a notebook may show. */

/** In the text itself, or from the page's own server; as the browser reads addresses, and not as they look. */
export function isOwnImage(source: string, page: string): boolean {
  let url: URL;
  try {
    url = new URL(source, page);
  } catch {
    return false;
  }
  return url.protocol === "data:" || url.origin === new URL(page).origin;
}
