/** Notebook files opened with the installed page, from the desktop: each becomes a notebook from elsewhere. */
import { say } from "../../ui/toasts.ts";

/** The part of the browser's launch queue that is used. */
interface LaunchQueue {
  setConsumer(take: (launch: { files?: readonly FileHandle[] }) => void): void;
}

interface FileHandle {
  getFile(): Promise<File>;
}

/** If the browser has such a queue. */
export function followLaunches(
  queue = (globalThis as { launchQueue?: LaunchQueue }).launchQueue,
): void {
  queue?.setConsumer(({ files }) => {
    const [first] = files ?? [];
    if (first) void first.getFile().then(openLaunched);
  });
}

async function openLaunched(file: File): Promise<void> {
  const { openFile } = await import("../book/openFile.ts");
  const { hash, problem } = await openFile(file);
  if (problem !== null) say({ text: problem, testId: "launch-refused" });
  else location.hash = hash;
}
