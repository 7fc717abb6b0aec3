/** Pixels a frame of a quick scroll. */
const quickStep = 150;
/** Nothing has moved for so long: elements take the place of what was drawn. After a single frame, which may have gone to what is read aloud, they come sooner. */
const restMs = 100;
const jumpMs = 60;

/** How long a scroll rests until elements take the place of what was drawn. @param isFirst it has moved in one frame only */
export const restAfter = (isFirst: boolean): number => (isFirst ? jumpMs : restMs);

/**
 * Whether what passes is drawn on a canvas, which has nothing a screen reader could be told of.
 * @param step how far this frame moved, in pixels
 * @param reveals it goes to what is to be read
 */
export const isQuick = (step: number, reveals: boolean): boolean => step >= quickStep && !reveals;

/** Follows a scroll: what passes quickly is drawn on a canvas until it moves slowly or rests. */
export class QuickScroll {
  isPassing = false;
  private readonly onRest: () => void;
  private resting: ReturnType<typeof setTimeout> | undefined;

  /** @param onRest elements are to be drawn */
  constructor(onRest: () => void) {
    this.onRest = onRest;
  }

  /** Told of every frame that moves; `isPassing` says what it is. */
  moved(step: number, reveals: boolean): void {
    this.stop();
    const isFirst = !this.isPassing;
    this.isPassing = isQuick(step, reveals);
    if (!this.isPassing) return;
    this.resting = setTimeout(() => {
      this.isPassing = false;
      this.onRest();
    }, restAfter(isFirst));
  }

  stop(): void {
    clearTimeout(this.resting);
  }
}
