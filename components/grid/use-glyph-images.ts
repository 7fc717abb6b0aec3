import { type RefObject, useLayoutEffect } from "react";
import { glyphImages } from "./glyph-images.ts";

/** Puts the pictures of the glyphs where what is drawn in an area finds them, in the colours of the skin the document has. */
export function useGlyphImages(scroller: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const area = scroller.current;
    if (!area) return;
    const put = () => {
      const computed = getComputedStyle(area);
      for (const [property, value] of glyphImages((token) => computed.getPropertyValue(`--${token}`).trim()))
        area.style.setProperty(property, value);
    };
    put();
    const skins = new MutationObserver(put);
    skins.observe(document.documentElement, { attributeFilter: ["data-mantine-color-scheme"] });
    return () => skins.disconnect();
  }, [scroller]);
}
