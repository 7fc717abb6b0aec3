import type { CDPSession, Page } from "playwright";
import { expect } from "vitest";

/** What is drawn of an area while it passes quickly: the picture as an address, and where it stands on the page. */
type Passing = { picture: string; box: { x: number; y: number; width: number; height: number } };
type Way = { axis: "x" | "y"; steps: number[] };
type Given = Way & { selector: string; covered: number };

/** Scrolls so many pixels in each frame from the beginning on, and takes what is drawn in the last one; null where nothing is. Runs in the page. */
async function passing({ selector, covered, axis, steps }: Given): Promise<Passing | null> {
  const area = document.querySelector<HTMLElement>(selector) as HTMLElement;
  let scroller = area;
  while (scroller.scrollHeight <= scroller.clientHeight || !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement as HTMLElement;
  const turn = () => new Promise((done) => requestAnimationFrame(done));
  scroller.scrollTop = 0;
  scroller.scrollLeft = 0;
  await new Promise((done) => setTimeout(done, 500));
  for (const step of steps) {
    if (axis === "y") scroller.scrollTop += step;
    else scroller.scrollLeft += step;
    // The frame tells of the scroll before it calls this.
    await turn();
  }
  const canvas = area.querySelector<HTMLCanvasElement>(":not([data-behind]) > canvas");
  const { x, y, width } = canvas?.getBoundingClientRect() ?? new DOMRect();
  if (!canvas || width === 0) return null;
  return { picture: canvas.toDataURL(), box: { x, y, width, height: scroller.clientHeight - covered } };
}

/** How many pixels of two pictures differ by so much that one sees it. Runs in the page. */
async function differing([one, other]: [string, string]): Promise<{ differing: number; of: number }> {
  const opened = async (address: string) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    return image;
  };
  const [passed, stood] = [await opened(one), await opened(other)];
  const { naturalWidth: width, naturalHeight: height } = stood;
  const pixels = (image: HTMLImageElement) => {
    const context = new OffscreenCanvas(width, height).getContext("2d")!;
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height).data;
  };
  const [left, right] = [pixels(passed), pixels(stood)];
  let count = 0;
  for (let at = 0; at < left.length; at += 4)
    if ([0, 1, 2].some((part) => Math.abs((left[at + part] as number) - (right[at + part] as number)) > 8)) count++;
  return { differing: count, of: width * height };
}

/** Whether anything is drawn on a canvas in the next half second. Runs in the page. */
async function isDrawn(selector: string): Promise<boolean> {
  const end = performance.now() + 500;
  let seen = false;
  while (performance.now() < end) {
    seen ||= (document.querySelector(`${selector} :not([data-behind]) > canvas`)?.getBoundingClientRect().width ?? 0) > 0;
    await new Promise((done) => requestAnimationFrame(done));
  }
  return seen;
}

/** An area whose elements are drawn on a canvas while they pass quickly. */
export class PassingArea {
  private readonly page: Page;
  private readonly selector: string;
  private readonly covered: number;

  /**
   * @param covered how many pixels of its height what stands above and below takes
   */
  constructor(page: Page, selector: string, covered: number) {
    this.page = page;
    this.selector = selector;
    this.covered = covered;
  }

  /** What is drawn in the last of these frames, null where nothing is. */
  passed(way: Way): Promise<Passing | null> {
    return this.page.evaluate(passing, { ...way, selector: this.selector, covered: this.covered });
  }

  /** What is drawn in the last of these frames. */
  async picture(way: Way): Promise<Passing> {
    const takes: (Passing | null)[] = [];
    // A frame that comes so late that the scroll has paused begins it anew.
    await expect.poll(async () => takes.push(await this.passed(way)) && takes.at(-1), { timeout: 20_000 }).not.toBeNull();
    return takes.at(-1) as Passing;
  }

  /** Whether a move makes it draw on the canvas. */
  async drawnBy(move: () => Promise<void>): Promise<boolean> {
    const drawn = this.page.evaluate(isDrawn, this.selector);
    await move();
    return drawn;
  }

  /** How much two of its pictures differ. */
  differing(one: Passing, other: Passing): Promise<{ differing: number; of: number }> {
    return this.page.evaluate(differing, [one.picture, other.picture] as [string, string]);
  }

  /** Expects what is drawn while it passes to be what stands there afterwards. @param share of the pixels that may differ */
  async expectAlike(screen: CDPSession, axis: Way["axis"], share = 1 / 2_000): Promise<void> {
    // Pictures that are drawn are read when they pass for the first time.
    await this.picture({ axis, steps: [160, 160, -160, 160] });
    await expect
      .poll(
        async () => {
          const { picture: passed, box } = await this.picture({ axis, steps: [160, 160] });
          await this.page.waitForTimeout(600);
          await this.page.mouse.move(2, 2);
          const { data } = await screen.send("Page.captureScreenshot", { clip: { ...box, scale: 1 } });
          const { differing: count, of } = await this.page.evaluate(differing, [passed, `data:image/png;base64,${data}`] as [
            string,
            string,
          ]);
          return { isAlike: count < of * share, isMuch: of > 200_000, count, of };
        },
        { timeout: 30_000 },
      )
      .toMatchObject({ isAlike: true, isMuch: true });
  }
}
