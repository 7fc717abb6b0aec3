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
 * What a page writes down as it leaves. The database answers too late for a page that is going; this store answers at once.
 * `edits`: what the database may not hold yet, null when it holds everything. A note also says that its page is gone, whoever still holds its lock.
 */
const farewells = {
  prefix: `${storeName} | `,
  leave(place: string, edits: readonly CellEdit[] | null): void {
    try {
      localStorage.setItem(this.prefix + place, JSON.stringify(edits));
    } catch {
      // No storage, or a full one: the database's own last write is all there is.
    }
  },
  forget(place: string): void {
    try {
      localStorage.removeItem(this.prefix + place);
    } catch {
      // No storage: nothing to forget.
    }
  },
  /** Notes of pages of this name, by place. */
  of(name: string): Map<string, CellEdit[] | null> {
    const start = this.prefix + placeOf(name, "");
    const found = new Map<string, CellEdit[] | null>();
    try {
      for (const key of Object.keys(localStorage))
        if (key.startsWith(start)) found.set(key.slice(this.prefix.length), JSON.parse(localStorage.getItem(key) ?? "null"));
    } catch {
      // No storage, or a note that cannot be read: what the database holds counts.
    }
    return found;
  },
};

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
  const notes = farewells.of(name);
  const keys = (await within("readonly", (store) => store.getAllKeys())) as string[];
  const places = new Set([...keys.filter((key) => key.startsWith(placeOf(name, ""))), ...notes.keys()]);
  places.delete(own);
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const alive = new Set(held.map((lock) => lock.name));
  const found: { place: string; edits: CellEdit[] }[] = [];
  for (const place of places) {
    if (alive.has(place) && !notes.has(place)) continue;
    const edits = notes.get(place) ?? (await within<CellEdit[] | undefined>("readonly", (store) => store.get(place)));
    found.push({ place, edits: edits ?? [] });
  }
  return found;
}

/**
 * Keeps unsaved edits in this browser until they are saved, so that a reload, a closed tab or a sign-out loses nothing, however soon
 * after the last key it comes. What a closed tab left behind is taken over by the next one that opens. A browser without storage
 * (private window, full disk) works without it.
 * @param name one place per person, project and screen
 * @returns stop: ends the keeping; restored: number of edits put back, known when the promise resolves
 */
export function keepEdits(store: EditStore, name: string): { stop: () => void; restored: Promise<number> } {
  // Not a secret: it only tells tabs apart, and pages on plain http have no other source of it.
  const own = placeOf(name, `${Date.now()}-${Math.random()}`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ready = false;
  let stopped = false;
  /** Changes of the store so far, and how many of them the database is known to hold. */
  let changes = 0;
  let held = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  /** Writes down all edits; answers whether the database took them. */
  const write = async (): Promise<boolean> => {
    clearTimeout(timer);
    timer = undefined;
    const upTo = changes;
    const edits = [...store.all()];
    try {
      await within("readwrite", (place) => (edits.length > 0 ? place.put(edits, own) : place.delete(own)) as IDBRequest<unknown>);
      held = Math.max(held, upTo);
      return true;
    } catch {
      // The next change tries again; a page that leaves writes down what is missing.
      return false;
    }
  };
  const plan = () => {
    if (ready && held < changes && timer === undefined) timer = setTimeout(() => void write(), writeDelayMs);
  };
  const flush = () => {
    if (timer !== undefined) void write();
  };
  const leave = () => {
    const edits = [...store.all()];
    if (edits.length === 0 && held === changes) farewells.forget(own);
    else farewells.leave(own, held === changes ? null : edits);
    flush();
  };
  /** A page that comes back from the browser's history is not gone after all. */
  const comeBack = () => farewells.forget(own);
  const unsubscribe = store.subscribe(() => {
    changes++;
    plan();
  });
  const takeOver = async () => {
    await hold(own, released);
    const left = await leftBehind(name, own);
    if (stopped) return 0;
    const edits = left.flatMap((given) => given.edits).sort((a, b) => a.at - b.at);
    // Of two edits of one cell the later one counts.
    const latest = new Map(edits.map((edit) => [`${edit.rowKey}|${edit.columnKey}`, edit]));
    const back = store.restore([...latest.values()]);
    // They stand in this tab's place before the places they came from are given up.
    if (edits.length > 0 && !(await write())) return back;
    for (const { place } of left) {
      await within("readwrite", (places) => places.delete(place) as IDBRequest<unknown>);
      farewells.forget(place);
    }
    return back;
  };
  const restored = takeOver()
    .catch(() => 0)
    .finally(() => {
      ready = true;
      plan();
    });
  document.addEventListener("visibilitychange", flush);
  addEventListener("pagehide", leave);
  addEventListener("pageshow", comeBack);
  return {
    restored,
    stop: () => {
      stopped = true;
      leave();
      unsubscribe();
      release();
      document.removeEventListener("visibilitychange", flush);
      removeEventListener("pagehide", leave);
      removeEventListener("pageshow", comeBack);
    },
  };
}
