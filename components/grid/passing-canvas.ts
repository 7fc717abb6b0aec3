import { CanvasTexts } from "./canvas-texts.ts";
import { type DrawnLook, drawnLook } from "./drawn-look.ts";
import { glyphSideOf } from "./glyph-images.ts";
import styles from "./passing-canvas.module.css";

export type Context = CanvasRenderingContext2D;
type Size = { width: number; height: number };
type Picture = { image: HTMLImageElement; pixels: ImageBitmap | null };
/** In place of the elements, or behind what stands above them. */
type Shown = "instead" | "behind" | null;

/** How often what passes is drawn before it does: a browser compiles well what it has run for a while, and takes memory for what it has shown a few times. */
const rehearsals = 40;
/** Nothing has been drawn for so long before that begins. */
const quietMs = 120;

/** An element that nobody sees, of which the browser tells how it would look; `named` is the one that gets the classes: itself or the one around it. */
type Probe = { element: HTMLElement; named: HTMLElement; looks: Map<string, DrawnLook> };

/**
 * A canvas in front of elements that pass quickly: laying out, painting and drawing thousands of them a second takes the browser three times as long. How an element
 * looks is read from the style sheet, once for all that have the same classes. Lengths in CSS pixels.
 */
export class PassingCanvas {
  texts: CanvasTexts | null = null;
  private readonly root: HTMLElement;
  private readonly head: number;
  private readonly passed: string;
  private readonly place: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly context: Context | null;
  private readonly hidden: HTMLElement;
  private readonly probes: Probe[] = [];
  private tokens = new Map<string, string>();
  private skin: string | null = null;
  private shown: Shown = null;
  private rehearsed = { kind: "", times: 0 };
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private rehearsing = 0;
  /** By address, and those of this scroll by the custom property that holds the address: bitmaps take the place of outlines in between. */
  private readonly pictures = new Map<string, Picture>();
  private held = new Map<string, Picture | null>();

  /**
   * @param root element that holds the elements
   * @param head height of what stands above it
   * @param passed class of the root while the canvas is shown
   */
  constructor(root: HTMLElement, head: number, passed = "") {
    this.root = root;
    this.head = head;
    this.passed = passed;
    this.place = this.made(root, styles.place);
    this.place.style.top = `${head}px`;
    this.place.setAttribute("aria-hidden", "true");
    this.place.hidden = true;
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.place.append(this.canvas);
    this.hidden = this.made(this.place);
    this.hidden.hidden = true;
  }

  /**
   * Makes an element whose looks are asked for.
   * @param around classes of the elements around it, the outermost first
   * @param own its own classes, where those that are asked for are of the element right around it
   * @returns gives the look for some classes, read once for a skin
   */
  probe(around: readonly (string | undefined)[] = [], own?: string): (className: string) => DrawnLook {
    const parent = around.reduce((outer, className) => this.made(outer, className), this.hidden);
    const element = this.made(parent, own);
    const probe: Probe = { element, named: own === undefined ? element : parent, looks: new Map() };
    this.probes.push(probe);
    return (className) => this.look(probe, className);
  }

  /** Draws a frame of the area that is scrolled, and shows it in place of the elements. @returns whether it could be drawn */
  paint(port: Size, draw: (context: Context) => void): boolean {
    const context = this.begin(port);
    if (!context) return false;
    draw(context);
    this.show("instead");
    return true;
  }

  /**
   * Draws it in some frames once all is quiet, for a skin and a size, and shows it where nobody sees it: the first frames that pass do not wait for what all of them
   * need. What is drawn meanwhile has it begin later.
   */
  prepare(port: Size, draw: (context: Context) => void): void {
    const kind = `${this.nameSkin()} ${port.width} ${port.height}`;
    if (kind !== this.rehearsed.kind) this.rehearsed = { kind, times: 0 };
    if (this.rehearsed.times >= rehearsals) return;
    const next = () => {
      const context = this.rehearsed.times++ < rehearsals ? this.begin(port) : null;
      if (!context) return this.hide();
      draw(context);
      this.show("behind");
      this.rehearsing = requestAnimationFrame(next);
    };
    this.stop();
    this.waiting = setTimeout(next, quietMs);
  }

  hide(): void {
    this.show(null);
  }

  clear(): void {
    this.stop();
    this.place.remove();
  }

  private stop(): void {
    clearTimeout(this.waiting);
    cancelAnimationFrame(this.rehearsing);
  }

  /** Clears the canvas for a frame; null where nothing can be drawn. */
  private begin(port: Size): Context | null {
    const { context, canvas } = this;
    const [width, height] = [port.width, port.height - this.head];
    const [wide, high] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
    if (!context || wide < 1 || high < 1) return null;
    if (this.shown !== "instead") this.held.clear();
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      this.texts = new CanvasTexts(context);
    }
    this.followSkin();
    context.setTransform(wide / width, 0, 0, high / height, 0, 0);
    this.fill([this.token("bg-base")], 0, 0, width, height);
    return context;
  }

  /** The elements below are not drawn meanwhile: scrolled sideways they would be, though nobody sees them. */
  private show(shown: Shown): void {
    if (shown !== "behind") this.stop();
    if (this.shown === shown) return;
    this.shown = shown;
    this.place.hidden = shown === null;
    this.place.toggleAttribute("data-behind", shown === "behind");
    if (this.passed !== "") this.root.classList.toggle(this.passed, shown === "instead");
  }

  /** The colour of a token in the present skin. */
  token(name: string): string {
    const known = this.tokens.get(name);
    if (known !== undefined) return known;
    const read = getComputedStyle(this.place).getPropertyValue(`--${name}`);
    this.tokens.set(name, read);
    return read;
  }

  /** Fills a box with colours, one over the other. */
  fill(colors: readonly string[], x: number, y: number, width: number, height: number): void {
    const { context } = this;
    if (!context) return;
    for (const color of colors) {
      context.fillStyle = color;
      context.fillRect(x, y, width, height);
    }
  }

  /** Draws frames inside a box. */
  frames({ frames }: DrawnLook, x: number, y: number, width: number, height: number): void {
    const { context } = this;
    if (!context) return;
    for (const { width: thick, color } of frames) {
      context.strokeStyle = color;
      context.lineWidth = thick;
      context.strokeRect(x + thick / 2, y + thick / 2, width - thick, height - thick);
    }
  }

  /** Draws a box with round corners and a border all around, as they are of an element. */
  box(look: DrawnLook, x: number, y: number, width: number, height: number): void {
    const { context } = this;
    if (!context) return;
    const edge = look.edge?.width ?? 0;
    // Up to the middle of the border: no background shows outside it.
    const inset = edge / 2;
    context.beginPath();
    context.roundRect(x + inset, y + inset, width - edge, height - edge, Math.max(0, Math.min(look.radius, width / 2, height / 2) - inset));
    context.fillStyle = look.fills[0] ?? "transparent";
    context.fill();
    if (!look.edge) return;
    context.strokeStyle = look.edge.color;
    context.lineWidth = edge;
    context.setLineDash(look.edge.dashed ? [2 * edge, 2 * edge] : []);
    context.stroke();
    context.setLineDash([]);
  }

  /** Draws the triangle in the upper left corner of what is not saved. */
  corner(color: string, x: number, y: number, side: number): void {
    const { context } = this;
    if (!context) return;
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + side, y);
    context.lineTo(x, y + side);
    context.fill();
  }

  /** Draws a picture of a custom property as soon as it is read; `isEnd`: its right end stands at `x`. */
  glyph(property: string, x: number, y: number, isEnd = false): void {
    const side = glyphSideOf(property);
    const picture = this.picture(property, Math.round(side * devicePixelRatio));
    if (picture) this.context?.drawImage(picture, isEnd ? x - side : x, y, side, side);
  }

  /** The picture that a custom property holds, as soon as it is read. @param side of a drawing that has no pixels of its own, in those of the screen */
  picture(property: string, side?: number): ImageBitmap | null {
    let held = this.held.get(property);
    if (held === undefined) {
      held = this.read(getComputedStyle(this.root).getPropertyValue(property));
      this.held.set(property, held);
    }
    return held && pixelsOf(held, side);
  }

  /** The picture at an address as a style sheet writes it, as soon as it is read. */
  image(value: string): ImageBitmap | null {
    const picture = this.read(value);
    return picture && pixelsOf(picture);
  }

  private read(value: string): Picture | null {
    const address = /url\("([^"]+)"\)/.exec(value)?.[1];
    if (address === undefined) return null;
    const known = this.pictures.get(address);
    if (known) return known;
    const picture = { image: new Image(), pixels: null };
    picture.image.src = address;
    this.pictures.set(address, picture);
    return picture;
  }

  private look({ element, named, looks }: Probe, className: string): DrawnLook {
    const known = looks.get(className);
    if (known) return known;
    named.className = className;
    const read = drawnLook(getComputedStyle(element), getComputedStyle(element, "::before"), getComputedStyle(element, "::after"));
    looks.set(className, read);
    return read;
  }

  private nameSkin(): string {
    return `${document.documentElement.dataset.mantineColorScheme} ${devicePixelRatio}`;
  }

  /** Other colours: what was read of the style sheet is read anew. */
  private followSkin(): void {
    const skin = this.nameSkin();
    if (skin === this.skin) return;
    this.skin = skin;
    this.tokens.clear();
    for (const { looks } of this.probes) looks.clear();
  }

  private made(parent: HTMLElement, className = ""): HTMLElement {
    const element = document.createElement("div");
    element.className = className;
    parent.append(element);
    return element;
  }
}

/** The pixels of a picture once it is read: an image would be prepared anew each time it is drawn. @param side of a drawing; left out, that of the picture */
function pixelsOf(picture: Picture, side?: number): ImageBitmap | null {
  const { image } = picture;
  if (!image.complete || image.naturalWidth === 0) return null;
  const [width, height] = [side ?? image.naturalWidth, side ?? image.naturalHeight];
  if (picture.pixels?.width === width) return picture.pixels;
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  picture.pixels = canvas.transferToImageBitmap();
  return picture.pixels;
}

/** A place on whole pixels of the screen, as the browser has it. */
export const snapped = (length: number): number => Math.round(length * devicePixelRatio) / devicePixelRatio;
