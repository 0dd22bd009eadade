/** Reads any selected files: columnar recordings here, everything else in a worker. */
import { findColumnar, readFound } from "./columnarImport.ts";
import { readInWorker, type StartImport } from "./importFiles.ts";

export const startImport: StartImport = (files, listener, choices) => {
  let isOver = false;
  let stop = () => {};
  // An unreadable file is refused together with the others.
  const finding = findColumnar(files).catch(() => []);
  void finding.then((found) => {
    if (isOver) return;
    if (found.length > 0) void readFound(found, listener, () => isOver, files);
    else stop = readInWorker(files, listener, choices);
  });
  return () => {
    isOver = true;
    stop();
  };
};
