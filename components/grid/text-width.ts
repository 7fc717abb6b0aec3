/** Widest any usual font draws a character of the cells' 12 pixels: digits, what stands between digits, narrow letters, everything else of ASCII. */
const widths = { digit: 7.7, between: 4.8, narrow: 8, wide: 12.4 };
const fullWidth = 12;

const ascii = Float64Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\d/.test(character)) return widths.digit;
  if (/[-./:,; ()]/.test(character)) return widths.between;
  return /[a-ln-vx-z]/.test(character) ? widths.narrow : widths.wide;
});

/**
 * The width a text of a cell has at most, in pixels, without asking the browser, who would have to lay it out for that.
 * @returns infinity for a text with characters of whose width nothing is known
 */
export function textWidthMost(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128) sum += ascii[code] as number;
    else if (isFullWidth(code)) sum += fullWidth;
    else return Number.POSITIVE_INFINITY;
  }
  return sum;
}

/** Kana, unified ideographs, and punctuation of their width. */
function isFullWidth(code: number): boolean {
  return (code >= 0x3000 && code <= 0x30ff) || (code >= 0x4e00 && code <= 0x9fff) || (code >= 0xff01 && code <= 0xff60);
}
