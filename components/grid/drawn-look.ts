/** How a row or a cell is drawn on a canvas, as the style sheet has it. Lengths in CSS pixels. */
export type DrawnLook = {
  /** Colours one over the other. */
  fills: readonly string[];
  /** Colours of the lines at its right end and below it. */
  right: string | null;
  bottom: string | null;
  /** The border where there is one on all sides. */
  edge: { width: number; color: string; dashed: boolean } | null;
  radius: number;
  /** Width and colour of the frames inside it, the topmost last. */
  frames: readonly { width: number; color: string }[];
  color: string;
  font: string;
  spacing: string;
  toEnd: boolean;
  /** Room left free at both ends. */
  before: number;
  after: number;
  /** A text that does not fit is cut off. */
  cut: boolean;
  struck: boolean;
  /** Colour of the corner of a cell that is not saved. */
  corner: string | null;
  /** Colour of the bar of a row that has not arrived. */
  bar: string | null;
};

type Style = Pick<
  CSSStyleDeclaration,
  | "backgroundColor"
  | "backgroundImage"
  | "borderTopColor"
  | "borderTopStyle"
  | "borderTopWidth"
  | "borderTopLeftRadius"
  | "borderRightColor"
  | "borderRightWidth"
  | "borderBottomColor"
  | "borderBottomWidth"
  | "boxShadow"
  | "color"
  | "fontStyle"
  | "fontWeight"
  | "fontSize"
  | "fontFamily"
  | "letterSpacing"
  | "textAlign"
  | "paddingLeft"
  | "paddingRight"
  | "overflowX"
  | "textDecorationLine"
>;
type Part = Pick<CSSStyleDeclaration, "content" | "borderTopColor" | "backgroundColor">;

const nothing = /^(?:transparent|rgba\(0, 0, 0, 0\))$/;
const color = /(?:[a-z-]+\((?:[^()]|\([^()]*\))*\)|#[0-9a-f]+)/i;
const shown = (value: string): string | null => (nothing.test(value) ? null : value);

/** Colours laid over an element: of each picture behind it that is a gradient, its first; those that lie on top come last. */
function veils(pictures: string): string[] {
  const gradients = [...pictures.matchAll(/(?<!-)linear-gradient\(/g)].map(({ index }) =>
    pictures.slice(index + "linear-gradient(".length),
  );
  return gradients.flatMap((gradient) => shown(color.exec(gradient)?.[0] ?? "transparent") ?? []).reverse();
}

/** Frames that shadows draw inside an element. */
function frames(shadows: string): DrawnLook["frames"] {
  const inner = shadows.split(/,(?![^(]*\))/).filter((shadow) => shadow.includes("inset"));
  return inner
    .flatMap((shadow) => {
      const widths = shadow.replace(color, "").match(/-?[\d.]+px/g) ?? [];
      const of = color.exec(shadow)?.[0];
      const width = Number.parseFloat(widths[3] ?? "0");
      return of && width > 0 ? [{ width, color: of }] : [];
    })
    .reverse();
}

/**
 * What a canvas needs of what the browser has worked out for an element.
 * @param style of the element
 * @param before of what stands in front of its content
 * @param after of what stands behind it
 */
export function drawnLook(style: Style, before: Part, after: Part): DrawnLook {
  const isThere = ({ content }: Part) => content !== "none" && content !== "normal";
  const edge = Number.parseFloat(style.borderTopWidth) || 0;
  const line = (width: string, of: string) => (Number.parseFloat(width) > 0 ? shown(of) : null);
  return {
    fills: [...[shown(style.backgroundColor)].filter((fill) => fill !== null), ...veils(style.backgroundImage)],
    right: line(style.borderRightWidth, style.borderRightColor),
    bottom: line(style.borderBottomWidth, style.borderBottomColor),
    edge: edge > 0 ? { width: edge, color: style.borderTopColor, dashed: style.borderTopStyle === "dashed" } : null,
    radius: Number.parseFloat(style.borderTopLeftRadius) || 0,
    frames: frames(style.boxShadow),
    color: style.color,
    font: `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`,
    spacing: style.letterSpacing === "normal" ? "0px" : style.letterSpacing,
    toEnd: style.textAlign === "right" || style.textAlign === "end",
    before: Number.parseFloat(style.paddingLeft) || 0,
    after: Number.parseFloat(style.paddingRight) || 0,
    cut: style.overflowX === "hidden",
    struck: style.textDecorationLine.includes("line-through"),
    corner: isThere(before) ? shown(before.borderTopColor) : null,
    bar: isThere(after) ? shown(after.backgroundColor) : null,
  };
}
