/** Which images a notebook may show. */

/** In the text itself, or from the page's own server; judged by the resolved address, not by its text. */
export function isOwnImage(source: string, page: string): boolean {
  let url: URL;
  try {
    url = new URL(source, page);
  } catch {
    return false;
  }
  return url.protocol === "data:" || url.origin === new URL(page).origin;
}
