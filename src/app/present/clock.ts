/** Minutes and seconds, as 7:05. @param elapsed in milliseconds */
export function formatClock(elapsed: number): string {
  const seconds = Math.floor(elapsed / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
