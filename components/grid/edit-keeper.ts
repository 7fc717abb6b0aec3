import type { EditStore } from "./edit-store.ts";
import type { CellEdit } from "./grid-model.ts";

const databaseName = "milepost";
const storeName = "unsaved-edits";
const writeDelayMs = 250;

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function within<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(storeName, mode);
      const request = work(transaction.objectStore(storeName));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** Place of one tab's edits: every tab of a person keeps its own, so that two of them never write over each other. */
const placeOf = (name: string, tab: string) => `${name} | ${tab}`;

/**
 * Takes the lock that says that a tab is alive, until the tab is closed or `stop` is called.
 * Answers false when another tab holds it. Pages without locks (plain http) answer true.
 */
async function hold(place: string, until: Promise<void>): Promise<boolean> {
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    void navigator.locks.request(place, { ifAvailable: true }, async (lock) => {
      resolve(lock !== null);
      if (lock) await until;
    });
  });
}

/** Edits kept by tabs that are gone, and their places. Where locks are missing, every place counts as left behind. */
async function leftBehind(name: string, own: string): Promise<{ place: string; edits: CellEdit[] }[]> {
  const keys = (await within("readonly", (store) => store.getAllKeys())) as string[];
  const places = keys.filter((key) => key.startsWith(placeOf(name, "")) && key !== own);
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const alive = new Set(held.map((lock) => lock.name));
  const found: { place: string; edits: CellEdit[] }[] = [];
  for (const place of places) {
    if (alive.has(place)) continue;
    const edits = await within<CellEdit[] | undefined>("readonly", (store) => store.get(place));
    found.push({ place, edits: edits ?? [] });
  }
  return found;
}

/**
 * Keeps unsaved edits in this browser until they are saved, so that a reload or a sign-out loses nothing. What a closed tab left behind
 * is taken over by the next one that opens. A browser without storage (private window, full disk) works without it.
 * @param name one place per person, project and screen
 * @returns stop: ends the keeping; restored: number of edits put back, known when the promise resolves
 */
export function keepEdits(store: EditStore, name: string): { stop: () => void; restored: Promise<number> } {
  // Not a secret: it only tells tabs apart, and pages on plain http have no other source of it.
  const own = placeOf(name, `${Date.now()}-${Math.random()}`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ready = false;
  let stopped = false;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const write = () => {
    timer = undefined;
    const edits = [...store.all()];
    const done = within("readwrite", (place) => (edits.length > 0 ? place.put(edits, own) : place.delete(own)) as IDBRequest<unknown>);
    return done.catch(() => undefined);
  };
  const flush = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    void write();
  };
  const unsubscribe = store.subscribe(() => {
    if (ready && timer === undefined) timer = setTimeout(write, writeDelayMs);
  });
  const takeOver = async () => {
    await hold(own, held);
    const left = await leftBehind(name, own);
    if (stopped) return 0;
    const edits = left.flatMap((given) => given.edits);
    const back = store.restore(edits);
    if (edits.length > 0) {
      // They stand in this tab's place before the places they came from are given up.
      await write();
    }
    for (const { place } of left) await within("readwrite", (places) => places.delete(place) as IDBRequest<unknown>);
    return back;
  };
  const restored = takeOver()
    .catch(() => 0)
    .finally(() => {
      ready = true;
    });
  document.addEventListener("visibilitychange", flush);
  addEventListener("pagehide", flush);
  return {
    restored,
    stop: () => {
      stopped = true;
      flush();
      unsubscribe();
      release();
      document.removeEventListener("visibilitychange", flush);
      removeEventListener("pagehide", flush);
    },
  };
}
