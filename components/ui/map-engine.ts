import type { GeoJSONSource, Map as LibraryMap, MapMouseEvent } from "maplibre-gl";
import { clusterImage, isStep, lookImage, type MapLook, stepClusterImage, token } from "./map-images.ts";
import type { MapLibrary } from "./map-library.ts";
import { boxAround, boxOf, type LngLat, type MapBox, type MapPoints, noPoints, pointsAt } from "./map-points.ts";
import { pointsAddress, pointsFile } from "./map-sources.mjs";
import { lookProperties, noFeatures, outlinePaint, outlineStyle, ownLayers, ownSources, textsOfClusters, workerFile } from "./map-style.ts";
import { ownTask } from "./own-task.ts";

/** An area drawn on the map: a hull, with its name and colour token. */
export type MapShape = { id: number; ring: readonly LngLat[]; color: string; name: string; chosen: boolean };

export type EngineOptions = {
  container: HTMLElement;
  /** Name of the map for screen readers. */
  label: string;
  /** Address of a style to draw below; null: the outline of the countries. */
  styleUrl: string | null;
  /** Looks of points, by the number each carries. */
  looks: readonly MapLook[];
  /** What is in view from the start, where the points are known already. */
  box: MapBox | null;
  /** Whether clusters say how many points they hold. */
  counts: boolean;
  /** Points or a shape were clicked; `adds` with Shift. */
  onPick: (picked: { places: number[]; shape: number | null; adds: boolean }) => void;
  /** The part shown has changed. */
  onBox: (box: MapBox) => void;
  /** Everything asked for is drawn. */
  onDrawn: () => void;
};

const fitPadding = 48;
const placeZoom = 15;
const moveMs = 280;
const start = { center: [105, 33] as LngLat, zoom: 3 };
/** Pixels around a click that still count as on the point. */
const reach = 3;

const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A map of the library with points, clusters and areas of its own. Made when it is first shown, ended by `end`. */
export class MapEngine {
  private readonly map: LibraryMap;
  private readonly options: EngineOptions;
  private readonly ready: Promise<void>;
  private readonly ended = new AbortController();
  private file: string | null = null;
  private fitted: boolean;
  private points = noPoints;
  private hasPoints = false;
  /** Around the points; null where there are none, undefined before any came. */
  private pointsBox: MapBox | null | undefined;
  private shapesBox: MapBox | null = null;

  /** @throws where the browser has no WebGL */
  constructor({ AttributionControl, Map: DrawnMap, setWorkerUrl }: MapLibrary, options: EngineOptions) {
    this.options = options;
    this.fitted = options.box !== null;
    setWorkerUrl(workerFile);
    this.map = new DrawnMap({
      container: options.container,
      style: options.styleUrl ?? outlineStyle(),
      ...(options.box ? { bounds: options.box, fitBoundsOptions: { padding: fitPadding, maxZoom: placeZoom } } : start),
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      // It would take every click with Shift, which adds to what is chosen.
      boxZoom: false,
      fadeDuration: 0,
      maxZoom: 18,
      locale: { "Map.Title": options.label },
    });
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    // A style of others brings who has to be named.
    if (options.styleUrl) this.map.addControl(new AttributionControl({ compact: true }), "bottom-right");
    this.map.setMissingStyleImageResolver((name) => this.addImage(name));
    this.map.on("click", (event) => void this.click(event));
    this.map.on("moveend", () => this.tellBox());
    this.map.on("idle", () => {
      if (this.hasPoints) this.options.onDrawn();
    });
    // A tile that cannot be had is no reason to stop.
    this.map.on("error", () => {});
    this.ready = new Promise((resolve) => {
      this.map.once("style.load", () => {
        this.addOwn();
        resolve();
      });
    });
  }

  /** Shows points instead of those before; the first ones are brought into view. */
  async setPoints(points: MapPoints): Promise<void> {
    // Places that are told belong to what whoever is told holds by now.
    this.points = points;
    await this.ready;
    // Not with what the page draws around the map when they come.
    await ownTask();
    if (this.points !== points || this.ended.signal.aborted) return;
    this.pointsBox = boxOf(points);
    if (!this.fitted) this.showAll(false);
    // Moving the map and handing over a file take the browser long enough each.
    await ownTask();
    if (this.points !== points || this.ended.signal.aborted) return;
    const before = this.file;
    this.file = URL.createObjectURL(pointsFile(points));
    await this.source("points")?.setData(pointsAddress(this.file, this.options.looks.map(lookProperties)));
    if (this.ended.signal.aborted) return;
    if (!this.hasPoints) this.showTextsLater();
    // The map may have come to rest before this is heard: it comes to rest once more.
    this.hasPoints = true;
    this.map.triggerRepaint();
    if (before) URL.revokeObjectURL(before);
  }

  /** Marks points as chosen. */
  async setChosen(points: MapPoints, places: readonly number[]): Promise<void> {
    await this.ready;
    const coordinates = places.map((at) => [(points.xs[at] as number) / 1e6, (points.ys[at] as number) / 1e6]);
    this.fill("chosen", coordinates.length > 0 ? { type: "MultiPoint", coordinates } : null);
  }

  /** Shows areas instead of those before. @param color gives the colour of a token */
  async setShapes(shapes: readonly MapShape[], color: (token: string) => string): Promise<void> {
    await this.ready;
    this.shapesBox = boxAround(shapes.flatMap(({ ring }) => ring));
    if (!this.fitted && this.pointsBox === null) this.showAll(false);
    const drawn = shapes.filter(({ ring }) => ring.length > 2);
    const features = [
      ...drawn.map(({ id, ring, chosen, color: token }) => ({
        type: "Feature" as const,
        properties: { id, chosen, color: color(token) },
        geometry: { type: "Polygon" as const, coordinates: [[...ring, ring[0] as LngLat]] },
      })),
      // A name stands once, in the middle; on the area itself it would stand in every tile.
      ...drawn.map(({ ring, name }) => {
        const [west, south, east, north] = boxAround(ring) as MapBox;
        return {
          type: "Feature" as const,
          properties: { name },
          geometry: { type: "Point" as const, coordinates: [(west + east) / 2, (south + north) / 2] },
        };
      }),
    ];
    this.fill("shapes", features.length > 0 ? { type: "FeatureCollection", features } : null);
  }

  /** Shows the area that was drawn last, or none. */
  async setArea(ring: readonly LngLat[] | null): Promise<void> {
    await this.ready;
    this.fill("area", ring && ring.length > 2 ? { type: "Polygon", coordinates: [[...ring, ring[0] as LngLat]] } : null);
  }

  /** Draws everything in the colours of the present skin. */
  async restyle(): Promise<void> {
    await this.ready;
    for (const name of this.map.listImages()) if (/^(ring|status|step) /.test(name)) this.map.removeImage(name);
    if (!this.options.styleUrl) {
      for (const [layer, property, name] of outlinePaint) this.map.setPaintProperty(layer, property, token(name));
    }
    for (const layer of ownLayers(this.options.counts, this.options.looks)) {
      for (const [property, value] of Object.entries(layer.paint ?? {}))
        this.map.setPaintProperty(layer.id, property as never, value as never);
    }
    if (this.hasPoints) this.showTexts();
    for (const name of this.drawn) this.addImage(name);
  }

  /** The point of the earth below a place of the screen, counted from the corner of the map. */
  place(x: number, y: number): LngLat {
    const { lng, lat } = this.map.unproject([x, y]);
    return [lng, lat];
  }

  zoomBy(step: number): void {
    this.map.zoomTo(this.map.getZoom() + step, { duration: calm() ? 0 : moveMs });
  }

  /** Brings all points into view; without any, all areas. */
  showAll(moving = true): void {
    this.showBox(this.pointsBox ?? this.shapesBox, moving);
  }

  private showBox(box: MapBox | null, moving: boolean): void {
    if (!box) return;
    this.fitted = true;
    this.map.fitBounds(box, {
      padding: fitPadding,
      maxZoom: placeZoom,
      ...(moving && !calm() ? { duration: moveMs } : { animate: false }),
    });
  }

  /** Brings a ring into view. */
  fitRing(ring: readonly LngLat[]): void {
    this.showBox(boxAround(ring), true);
  }

  /** Brings one place into view, near enough to tell points apart. */
  goTo(place: LngLat): void {
    this.map.easeTo({ center: place, zoom: Math.max(this.map.getZoom(), placeZoom), duration: calm() ? 0 : moveMs });
  }

  focus(): void {
    this.map.getCanvas().focus();
  }

  /** The part of the earth that is shown. */
  shown(): MapBox {
    const bounds = this.map.getBounds();
    return [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
  }

  end(): void {
    this.ended.abort();
    this.map.remove();
    if (this.file) URL.revokeObjectURL(this.file);
  }

  private readonly drawn = new Set<string>();
  private readonly filled = new Set<string>();

  private source(name: string): GeoJSONSource | undefined {
    return this.ended.signal.aborted ? undefined : (this.map.getSource(name) as GeoJSONSource | undefined);
  }

  /** Puts something in the place of what a source holds; what is empty and stays so is not drawn anew. */
  private fill(name: string, data: Parameters<GeoJSONSource["setData"]>[0] | null): void {
    if (!data && !this.filled.has(name)) return;
    if (data) this.filled.add(name);
    else this.filled.delete(name);
    void this.source(name)?.setData(data ?? noFeatures);
  }

  private addOwn(): void {
    for (const [name, source] of Object.entries(ownSources(this.options.looks))) this.map.addSource(name, source);
    for (const layer of ownLayers(this.options.counts, this.options.looks)) this.map.addLayer(layer);
    this.tellBox();
  }

  /** Texts of clusters come in sight in a frame behind that of their pictures. */
  private showTextsLater(): void {
    const look = () => {
      if (!this.map.isSourceLoaded("points")) return;
      this.map.off("render", look);
      this.showTexts();
    };
    this.map.on("render", look);
  }

  private showTexts(): void {
    for (const layer of textsOfClusters) if (this.map.getLayer(layer)) this.map.setPaintProperty(layer, "text-opacity", 1);
  }

  private addImage(name: string): void {
    if (this.map.hasImage(name)) return;
    const [kind, ...rest] = name.split(" ");
    const numbers = rest.map(Number);
    const look = this.options.looks[numbers[0] ?? 0];
    const made = () => {
      if (kind === "ring") return clusterImage(numbers);
      if (kind === "status" && look) return lookImage(look);
      return kind === "step" && look && isStep(look) ? stepClusterImage(look) : null;
    };
    const image = made();
    if (!image) return;
    this.drawn.add(name);
    this.map.addImage(name, image.data, { pixelRatio: image.pixelRatio });
  }

  private tellBox(): void {
    if (!this.ended.signal.aborted) this.options.onBox(this.shown());
  }

  private async click(event: MapMouseEvent): Promise<void> {
    const { x, y } = event.point;
    const around: [[number, number], [number, number]] = [
      [x - reach, y - reach],
      [x + reach, y + reach],
    ];
    const found = this.map.queryRenderedFeatures(around, { layers: ["clusters", "points", "shapes"] });
    const cluster = found.find(({ layer }) => layer.id === "clusters");
    if (cluster) {
      const zoom = await this.source("points")?.getClusterExpansionZoom(Number(cluster.properties.cluster_id));
      if (zoom !== undefined) this.map.easeTo({ center: event.lngLat, zoom: Math.min(zoom, 18), duration: calm() ? 0 : moveMs });
      return;
    }
    const places = found.flatMap(({ layer, geometry, properties }) =>
      layer.id === "points" && geometry.type === "Point" ? pointsAt(this.points, geometry.coordinates as LngLat, Number(properties.s)) : [],
    );
    const shape = found.find(({ layer }) => layer.id === "shapes");
    if (places.length === 0 && !shape) return;
    this.options.onPick({
      places: [...new Set(places)],
      shape: shape ? Number(shape.properties.id) : null,
      adds: event.originalEvent.shiftKey,
    });
  }
}
