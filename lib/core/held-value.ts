/** A value that any part of a page may watch with `useSyncExternalStore`. */
export type HeldValue<T> = {
  get: () => T;
  /** Puts another value in its place and tells those who watch. */
  set: (next: T) => void;
  /** Tells a listener of every other value; gives the function that ends that. */
  subscribe: (listener: () => void) => () => void;
};

/** Holds a value, outside of the tree of the page. */
export function holdValue<T>(first: T): HeldValue<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
