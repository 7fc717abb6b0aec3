import "server-only";

/** Since when a reading runs, of which state, and whether it still does. */
type Kept<T> = { state: number; begun: number; running: boolean; value: Promise<T> };

/**
 * What many ask for alike and takes long to read. It is read once for each state of what it is read from, however many ask, and once at a time: whoever comes
 * while an older state is being read waits for the next reading, together with all others who do.
 */
export class SharedReadings<T> {
  private readonly max: number;
  private readonly kept = new Map<string, Kept<T>>();

  /** @param max how many are kept; the one not asked for longest goes first */
  constructor(max: number) {
    this.max = max;
  }

  /**
   * What was read of the present state, or by a reading that began after this call. A failure is told to all who wait for it, and not kept.
   * @param question names all that the reading depends on besides the state
   * @param state tells the present state, such as a change number; what it throws refuses the call
   */
  async read(question: string, state: () => Promise<number>, work: (state: number) => Promise<T>): Promise<T> {
    const asked = performance.now();
    for (;;) {
      const present = await state();
      const found = this.kept.get(question);
      if (found && (found.state === present || found.begun > asked)) {
        this.put(question, found);
        return found.value;
      }
      if (!found?.running) return this.begin(question, present, work);
      await found.value.catch(() => {});
    }
  }

  private begin(question: string, state: number, work: (state: number) => Promise<T>): Promise<T> {
    const value = work(state);
    const reading: Kept<T> = { state, begun: performance.now(), running: true, value };
    this.put(question, reading);
    value.then(
      () => {
        reading.running = false;
      },
      () => {
        if (this.kept.get(question) === reading) this.kept.delete(question);
      },
    );
    return value;
  }

  private put(question: string, reading: Kept<T>): void {
    this.kept.delete(question);
    this.kept.set(question, reading);
    if (this.kept.size > this.max) this.kept.delete(this.kept.keys().next().value as string);
  }
}
