// Loaded before a command (`node --import`): file operations stop at places that a test chooses, as on a slow disk.
// TURNBOOK_STOP_AT=N: at the Nth operation on a run's checkpoints it says so on stderr, and waits to be killed.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const stopAt = Number(process.env.TURNBOOK_STOP_AT);
const files = new Map();
let count = 0;

const isCheckpoint = (path) => /checkpoint[^/]*\.zip|events\.sha256/.test(String(path));

function step(what, path) {
  if (!isCheckpoint(path)) return;
  count += 1;
  if (count !== stopAt) return;
  write(2, `STOPPED ${what} ${path}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
}

const { openSync, writeSync: write, fsyncSync, renameSync, linkSync } = fs;
fs.openSync = (path, ...rest) => {
  const file = openSync(path, ...rest);
  files.set(file, path);
  return file;
};
// Half of what is asked for: the caller must write the rest, and a stop in between leaves half a file.
fs.writeSync = (file, data, at, ...rest) => {
  const path = files.get(file);
  if (!isCheckpoint(path) || typeof data === "string") return write(file, data, at, ...rest);
  const size = Math.ceil((data.length - (at ?? 0)) / 2);
  const written = write(file, data, at ?? 0, size);
  step("write", path);
  return written;
};
fs.fsyncSync = (file) => {
  step("fsync", files.get(file));
  return fsyncSync(file);
};
fs.renameSync = (from, to) => {
  step("rename", from);
  renameSync(from, to);
  step("renamed", to);
};
fs.linkSync = (from, to) => {
  step("link", from);
  linkSync(from, to);
  step("linked", to);
};
syncBuiltinESMExports();
