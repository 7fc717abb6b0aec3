/** Chosen rows by key, in the order they were chosen; survives scrolling, sorting and reloading. */
export class RowSelection {
  private keys = new Set<string>();
  private pivot: number | null = null;
  private listeners = new Set<() => void>();
  private listed: readonly string[] = [];

  has(key: string): boolean {
    return this.keys.has(key);
  }

  get size(): number {
    return this.keys.size;
  }

  /** The chosen keys; the same array until the choice changes. */
  get list(): readonly string[] {
    return this.listed;
  }

  /** Chooses or drops one row and remembers it as the start of the next range. */
  toggle(index: number, key: string): void {
    if (!this.keys.delete(key)) this.keys.add(key);
    this.pivot = index;
    this.changed();
  }

  /** Chooses all rows from the last toggled one to this one. */
  extendTo(index: number, keyOf: (index: number) => string | undefined): void {
    const from = this.pivot ?? index;
    for (let at = Math.min(from, index); at <= Math.max(from, index); at++) {
      const key = keyOf(at);
      if (key !== undefined) this.keys.add(key);
    }
    this.pivot = index;
    this.changed();
  }

  set(keys: Iterable<string>): void {
    this.keys = new Set(keys);
    this.pivot = null;
    this.changed();
  }

  clear(): void {
    if (this.keys.size > 0) this.set([]);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private changed(): void {
    this.listed = [...this.keys];
    for (const listener of this.listeners) listener();
  }
}
