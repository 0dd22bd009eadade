/** In the teacher's window the id of the projector's; null in all others. Such a window has `?teacher=ID` before the hash. */
export function taughtId(search: string = location.search): string | null {
  const id = new URLSearchParams(search).get("teacher");
  return id !== null && /^[\w-]{1,36}$/.test(id) ? id : null;
}
