import { type RefObject, useLayoutEffect } from "react";
import { asideTask } from "#components/ui/own-task.ts";
import { glyphBitmaps } from "./glyph-bitmaps.ts";
import { glyphDrawings, glyphImage, type NamedImage } from "./glyph-images.ts";

/** Puts the pictures of the glyphs where what is drawn in an area finds them, in the colours of the skin the document has: outlines at once, bitmaps after them. */
export function useGlyphImages(scroller: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const area = scroller.current;
    if (!area) return;
    const gone = new AbortController();
    let turn = 0;
    const write = (images: readonly NamedImage[]) => {
      for (const [property, value] of images) area.style.setProperty(property, value);
    };
    const put = async () => {
      const own = ++turn;
      const computed = getComputedStyle(area);
      const color = (token: string) => computed.getPropertyValue(`--${token}`).trim();
      const drawings = glyphDrawings(color);
      write(drawings.map(glyphImage));
      await asideTask();
      // Where there are none, the outlines stay.
      const bitmaps = await glyphBitmaps(drawings, color("hatch"), devicePixelRatio).catch(() => []);
      if (own === turn && !gone.signal.aborted) write(bitmaps);
    };
    const followRatio = () => {
      put();
      matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", followRatio, { once: true, signal: gone.signal });
    };
    followRatio();
    const skins = new MutationObserver(put);
    skins.observe(document.documentElement, { attributeFilter: ["data-mantine-color-scheme"] });
    return () => {
      gone.abort();
      skins.disconnect();
    };
  }, [scroller]);
}
