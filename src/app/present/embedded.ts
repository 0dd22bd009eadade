/** The figure's id of an embedded page; "" for the first one; null if nothing is embedded. */
export function embedded(search: string = location.search): string | null {
  return new URLSearchParams(search).get("embed");
}
