/** When the rows were last those of the server, and whether the last try to bring them up to date failed. */
export type Synced = { at: Date | null; failed: boolean };

/** Keeps that apart from the page: it moves every few seconds, and nothing but the note that tells it is drawn anew. */
export class PlanSync {
  private state: Synced = { at: null, failed: false };
  private readonly listeners = new Set<() => void>();

  readonly get = (): Synced => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The rows were asked for: are those shown the ones of now? */
  tell(isSynced: boolean): void {
    this.state = { at: isSynced ? new Date() : this.state.at, failed: !isSynced };
    for (const listener of this.listeners) listener();
  }
}
