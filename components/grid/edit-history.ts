/** Steps of unsaved edits that can be taken back, unless the person has chosen another number. */
export const historyMax = 100;

let kept = historyMax;

/** Sets how many steps every history of this page keeps from now on. */
export function keepSteps(steps: number): void {
  kept = steps;
}

/** Steps that can be undone and done again; a new step forgets the undone ones, the oldest falls out above the number kept. */
export class EditHistory<Step> {
  private past: Step[] = [];
  private future: Step[] = [];

  push(entry: Step): void {
    this.past.push(entry);
    while (this.past.length > kept) this.past.shift();
    this.future = [];
  }

  /** The step to take back, or undefined. */
  undo(): Step | undefined {
    const entry = this.past.pop();
    if (entry !== undefined) this.future.push(entry);
    return entry;
  }

  /** The step to do again, or undefined. */
  redo(): Step | undefined {
    const entry = this.future.pop();
    if (entry !== undefined) this.past.push(entry);
    return entry;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  clear(): void {
    this.past = [];
    this.future = [];
  }
}
