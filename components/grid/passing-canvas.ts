import { CanvasTexts } from "./canvas-texts.ts";
import { type DrawnLook, drawnLook } from "./drawn-look.ts";
import { glyphSideOf } from "./glyph-images.ts";
import styles from "./passing-canvas.module.css";

export type Context = CanvasRenderingContext2D;
type Size = { width: number; height: number };

/** How often what passes is drawn before it does: a browser compiles what it has run a few times. */
const preparations = 4;

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
  private prepared = { kind: "", times: 0 };
  /** By address, and those of this scroll by the custom property that holds the address: bitmaps take the place of outlines in between. */
  private readonly pictures = new Map<string, HTMLImageElement>();
  private held = new Map<string, HTMLImageElement | null>();

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

  private get isShown(): boolean {
    return !this.place.hidden;
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
    this.show(true);
    return true;
  }

  /** Draws it without showing it, a few times for a skin and a size: the first frame that passes does not wait for what all of them need. */
  prepare(port: Size, draw: (context: Context) => void): void {
    const kind = `${this.nameSkin()} ${port.width} ${port.height}`;
    if (kind !== this.prepared.kind) this.prepared = { kind, times: 0 };
    if (this.prepared.times === preparations || this.isShown) return;
    this.prepared.times++;
    const context = this.begin(port);
    if (context) draw(context);
  }

  hide(): void {
    this.show(false);
  }

  clear(): void {
    this.place.remove();
  }

  /** Clears the canvas for a frame; null where nothing can be drawn. */
  private begin(port: Size): Context | null {
    const { context, canvas } = this;
    const [width, height] = [port.width, port.height - this.head];
    const [wide, high] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
    if (!context || wide < 1 || high < 1) return null;
    if (!this.isShown) this.held.clear();
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
  private show(isShown: boolean): void {
    if (this.isShown === isShown) return;
    this.place.hidden = !isShown;
    if (this.passed !== "") this.root.classList.toggle(this.passed, isShown);
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
    const picture = this.picture(property);
    if (!picture) return;
    const side = glyphSideOf(property);
    this.context?.drawImage(picture, isEnd ? x - side : x, y, side, side);
  }

  /** The picture that a custom property holds, as soon as it is read. */
  picture(property: string): HTMLImageElement | null {
    let held = this.held.get(property);
    if (held === undefined) {
      held = this.read(getComputedStyle(this.root).getPropertyValue(property));
      this.held.set(property, held);
    }
    return whole(held);
  }

  /** The picture at an address as a style sheet writes it, as soon as it is read. */
  image(value: string): HTMLImageElement | null {
    return whole(this.read(value));
  }

  private read(value: string): HTMLImageElement | null {
    const address = /url\("([^"]+)"\)/.exec(value)?.[1];
    if (address === undefined) return null;
    const picture = this.pictures.get(address) ?? new Image();
    if (picture.src === "") picture.src = address;
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

const whole = (picture: HTMLImageElement | null): HTMLImageElement | null =>
  picture?.complete && picture.naturalWidth > 0 ? picture : null;

/** A place on whole pixels of the screen, as the browser has it. */
export const snapped = (length: number): number => Math.round(length * devicePixelRatio) / devicePixelRatio;
