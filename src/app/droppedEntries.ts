/** The dropped items if there is a folder among them; null: files only. Must be called while the event is handled. */
export function droppedEntries(data: DataTransfer): FileSystemEntry[] | null {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return entries.some(({ isDirectory }) => isDirectory) ? entries : null;
}
