import type * as Library from "maplibre-gl";

export type MapLibrary = typeof Library;

let loading: Promise<MapLibrary> | undefined;

/**
 * The library that draws maps, asked for once. It comes as the module it is and not within the files of the build: as part of one of them its megabyte would be
 * read again, as one function, by the page's thread.
 * @throws what the browser says when the file cannot be had; another call asks again
 */
export function loadMapLibrary(): Promise<MapLibrary> {
  loading ??= import(/* turbopackIgnore: true */ new URL("maplibre-gl/dist/maplibre-gl.mjs", import.meta.url).href).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading as Promise<MapLibrary>;
}
