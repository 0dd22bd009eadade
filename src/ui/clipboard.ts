/** Copies a text to the clipboard; false if the browser does not allow it: no permission, or no secure context. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
