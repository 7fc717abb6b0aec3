import { type Status, statusDashes, statusPaths } from "./glyph-paths.ts";

/** A picture for the map, with how many of its pixels make one of the page. */
export type MapImage = { data: ImageData; pixelRatio: number };

const pointSize = 21;
const clusterSize = 48;
const clusterRadius = 20;
const ratio = () => Math.min(2, Math.max(1, window.devicePixelRatio));

/** A colour of the present skin by the name of its token. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function draw(size: number, paint: (canvas: OffscreenCanvasRenderingContext2D) => void): MapImage {
  const pixelRatio = ratio();
  const pixels = Math.ceil(size * pixelRatio);
  const context = new OffscreenCanvas(pixels, pixels).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("no canvas to draw on");
  context.scale(pixelRatio, pixelRatio);
  paint(context);
  return { data: context.getImageData(0, 0, pixels, pixels), pixelRatio };
}

/** A step of the sequential colours from 0 to 1, with a short text for a point and a whole one for a cluster whose last step it is. */
export type MapStep = { share: number; text: string; label: string };

/** How a point looks: by its status, or as a step. */
export type MapLook = Status | MapStep;

export const isStep = (look: MapLook): look is MapStep => typeof look !== "string";

/** Share of light a colour sends back, as contrasts are counted. */
function luminance(rgb: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((part) => (part <= 10.31 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Parts of a colour as the sheet has it: a build shortens `#ffffff` to `#fff`. */
function rgbOf(hex: string): number[] {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1);
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
}

/** The text colour that reads better on a step of the sequential colours. */
export function inkOn(share: number): string {
  const [base, step] = [rgbOf(token("bg-base")), rgbOf(token("c1"))];
  const ground = luminance(base.map((part, at) => part + ((step[at] ?? 0) - part) * share)) + 0.05;
  const contrast = (name: string) => {
    const ink = luminance(rgbOf(token(name))) + 0.05;
    return Math.max(ink, ground) / Math.min(ink, ground);
  };
  return token(contrast("fg-1") >= contrast("bg-base") ? "fg-1" : "bg-base");
}

/** The picture of a point. */
export function lookImage(look: MapLook): MapImage {
  return isStep(look) ? stepImage(look) : pointImage(look);
}

/** A disc in a step of the sequential colours around the middle of a picture. */
function paintStep(canvas: OffscreenCanvasRenderingContext2D, middle: number, radius: number, share: number): void {
  const disc = (color: string, alpha: number) => {
    canvas.beginPath();
    canvas.arc(middle, middle, radius, 0, 2 * Math.PI);
    canvas.globalAlpha = alpha;
    canvas.fillStyle = color;
    canvas.fill();
    canvas.globalAlpha = 1;
  };
  disc(token("bg-base"), 1);
  disc(token("c1"), share);
  canvas.strokeStyle = token("c1");
  canvas.lineWidth = 1.5;
  canvas.stroke();
}

/** A point in a step of the sequential colours, told apart by the text in it as well. */
function stepImage({ share, text }: MapStep): MapImage {
  return draw(pointSize, (canvas) => {
    const middle = pointSize / 2;
    paintStep(canvas, middle, 9.5, share);
    canvas.fillStyle = inkOn(share);
    canvas.font = "500 10px sans-serif";
    canvas.textAlign = "center";
    canvas.textBaseline = "middle";
    canvas.fillText(text, middle, middle + 0.5);
  });
}

/** A cluster in the step of its last point; its number and the step itself are written by the map. */
export function stepClusterImage({ share }: MapStep): MapImage {
  return draw(clusterSize, (canvas) => paintStep(canvas, clusterSize / 2, clusterRadius, share));
}

/** A point: a ring in the colour of its status around the glyph of it. */
function pointImage(status: Status): MapImage {
  return draw(pointSize, (canvas) => {
    const color = token(`st-${status}`);
    const middle = pointSize / 2;
    canvas.beginPath();
    canvas.arc(middle, middle, 9.5, 0, 2 * Math.PI);
    canvas.fillStyle = token("bg-base");
    canvas.fill();
    canvas.strokeStyle = color;
    canvas.lineWidth = 1.5;
    canvas.stroke();
    canvas.translate(middle - 5.5, middle - 5.5);
    canvas.scale(0.69, 0.69);
    canvas.lineWidth = 2.1;
    canvas.lineCap = "round";
    canvas.lineJoin = "round";
    if (statusDashes[status]) canvas.setLineDash([2.6, 2.3]);
    canvas.stroke(new Path2D(statusPaths[status]));
  });
}

/** Statuses the ring of a cluster tells apart; what has no share stays grey. */
export const ringStatuses = ["delayed", "within7", "after7", "completed"] as const satisfies readonly Status[];
/** Parts a ring is divided into. */
export const ringParts = 12;

/** A cluster: a disc with a ring divided by status, each given in twelfths. */
export function clusterImage(shares: readonly number[]): MapImage {
  return draw(clusterSize, (canvas) => {
    const middle = clusterSize / 2;
    canvas.beginPath();
    canvas.arc(middle, middle, clusterRadius, 0, 2 * Math.PI);
    canvas.fillStyle = token("bg-3");
    canvas.fill();
    canvas.lineWidth = 4;
    canvas.strokeStyle = token("line-3");
    canvas.stroke();
    // Rounded shares may add up to more than the ring.
    const whole = Math.max(
      ringParts,
      shares.reduce((sum, share) => sum + share, 0),
    );
    let from = -Math.PI / 2;
    ringStatuses.forEach((status, at) => {
      const to = from + ((shares[at] ?? 0) / whole) * 2 * Math.PI;
      if (to === from) return;
      canvas.beginPath();
      canvas.arc(middle, middle, clusterRadius, from, to);
      canvas.strokeStyle = token(`st-${status}`);
      canvas.stroke();
      from = to;
    });
  });
}
