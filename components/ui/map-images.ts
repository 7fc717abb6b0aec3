import { type Status, statusDashes, statusPaths } from "./glyph-paths.ts";

/** A picture for the map, with how many of its pixels make one of the page. */
export type MapImage = { data: ImageData; pixelRatio: number };

const pointSize = 21;
const clusterSize = 48;
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

/** How a point looks: by its status, or as a step of the sequential colours from 0 to 1 with a short text in it. */
export type MapLook = Status | { share: number; text: string };

/** The picture of a point. */
export function lookImage(look: MapLook): MapImage {
  return typeof look === "string" ? pointImage(look) : stepImage(look);
}

/** A disc in a step of the sequential colours, told apart by the text in it as well. */
function stepImage({ share, text }: { share: number; text: string }): MapImage {
  return draw(pointSize, (canvas) => {
    const middle = pointSize / 2;
    const disc = (color: string, alpha: number) => {
      canvas.beginPath();
      canvas.arc(middle, middle, 9.5, 0, 2 * Math.PI);
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
    canvas.fillStyle = token(share > 0.55 ? "bg-base" : "fg-1");
    canvas.font = "500 10px sans-serif";
    canvas.textAlign = "center";
    canvas.textBaseline = "middle";
    canvas.fillText(text, middle, middle + 0.5);
  });
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
    const radius = 20;
    canvas.beginPath();
    canvas.arc(middle, middle, radius, 0, 2 * Math.PI);
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
      canvas.arc(middle, middle, radius, from, to);
      canvas.strokeStyle = token(`st-${status}`);
      canvas.stroke();
      from = to;
    });
  });
}
