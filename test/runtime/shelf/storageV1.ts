/** A database as version 1 of the page left it, from test/fixtures/storageV1.json. */
import { openDB } from "idb";
import fixture from "../../fixtures/storageV1.json" with { type: "json" };

interface StoredTable {
  name: string;
  keyPath?: string;
  records: readonly { key?: unknown; value: Record<string, unknown> }[];
}

export type FixtureName = Exclude<keyof typeof fixture, "about">;

/** Makes the fixture's database under another name. */
export async function makeV1(of: FixtureName, name: string): Promise<void> {
  const { version, stores } = fixture[of] as { version: number; stores: StoredTable[] };
  const database = await openDB(name, version, {
    upgrade: (made) => {
      for (const { name: store, keyPath } of stores)
        made.createObjectStore(store, keyPath === undefined ? {} : { keyPath });
    },
  });
  for (const { name: store, records } of stores)
    for (const { key, value } of records)
      await database.put(store, withBytes(value), key as IDBValidKey | undefined);
  database.close();
}

/** JSON has no bytes. */
function withBytes(value: Record<string, unknown>): Record<string, unknown> {
  if (typeof value["bytes"] !== "string") return value;
  return { ...value, bytes: new Uint8Array(Buffer.from(value["bytes"], "base64")) };
}
