import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from "maplibre-gl";
import { inkOn, isStep, type MapLook, ringParts, ringStatuses, token } from "./map-images.ts";
import { shapesAddress } from "./map-sources.mjs";

/** Where the files of the map lie: made by `scripts/map-files.mjs`. */
const files = "/maplibre";
/** Address of the map's worker: the library's, which knows the sources of `map-sources.mjs` besides. */
export const workerFile = `${files}/map-worker.mjs`;

/** Where clusters end, and how near points of one lie, in pixels. */
const clusterZoom = 13;
const clusterRadius = 60;
const font = ["sans-serif"];

/** The outline of the countries alone: it needs no server of tiles and no fonts. */
export function outlineStyle(): StyleSpecification {
  return {
    version: 8,
    sources: {
      land: { type: "geojson", data: shapesAddress(`${files}/land.json`), maxzoom: 6, tolerance: 0.5 },
      borders: { type: "geojson", data: shapesAddress(`${files}/borders.json`), maxzoom: 6, tolerance: 0.5 },
    },
    layers: [
      { id: "water", type: "background", paint: { "background-color": token("bg-base") } },
      { id: "land", type: "fill", source: "land", paint: { "fill-color": token("bg-1"), "fill-antialias": false } },
      { id: "coast", type: "line", source: "land", paint: { "line-color": token("line-2") } },
      { id: "borders", type: "line", source: "borders", paint: { "line-color": token("line-2") } },
    ],
  };
}

/** Colours of the outline in the present skin. */
export const outlinePaint = [
  ["water", "background-color", "bg-base"],
  ["land", "fill-color", "bg-1"],
  ["coast", "line-color", "line-2"],
  ["borders", "line-color", "line-2"],
] as const;

// Two counts in one number: the worker adds up half as many properties per point.
const upper = 2 ** 20;

/** What the map is told of points of a look: its place, and where they count in the ring of a cluster. */
export function lookProperties(look: MapLook, at: number): { s: number; p?: number; q?: number } {
  if (isStep(look)) return { s: at };
  const place = (ringStatuses as readonly unknown[]).indexOf(look);
  const share = (pair: number) => (Math.floor(place / 2) === pair && place >= 0 ? (place % 2 === 0 ? 1 : upper) : 0);
  return { s: at, p: share(0), q: share(1) };
}

/** Layers whose texts are hidden until their pictures are drawn: both need shaders of their own, which one frame would wait for. */
export const textsOfClusters = ["clusters", "cluster-steps"] as const;
const hiddenAtFirst = { "text-opacity": 0, "text-opacity-transition": { duration: 0 } };

export const noFeatures = { type: "FeatureCollection" as const, features: [] };

/** Sources that stand above any base map. Points that are steps stand in their order: a cluster keeps the last of its own. */
export const ownSources = (looks: readonly MapLook[]): Record<string, SourceSpecification> => ({
  shapes: { type: "geojson", data: noFeatures },
  points: {
    type: "geojson",
    data: noFeatures,
    cluster: true,
    clusterMaxZoom: clusterZoom,
    clusterRadius,
    maxzoom: clusterZoom + 1,
    clusterProperties: looks.some(isStep) ? { s: ["max", ["get", "s"]] } : { p: ["+", ["get", "p"]], q: ["+", ["get", "q"]] },
  },
  chosen: { type: "geojson", data: noFeatures },
  area: { type: "geojson", data: noFeatures },
});

const lowerCount = (name: string): ExpressionSpecification => ["%", ["get", name], upper];
const upperCount = (name: string): ExpressionSpecification => ["floor", ["/", ["get", name], upper]];
const parts = (count: ExpressionSpecification): ExpressionSpecification => [
  "to-string",
  ["round", ["/", ["*", count, ringParts], ["get", "point_count"]]],
];
/** Name of the picture of a cluster: its shares of the ring. */
const ringName: ExpressionSpecification = [
  "concat",
  "ring ",
  parts(lowerCount("p")),
  " ",
  parts(upperCount("p")),
  " ",
  parts(lowerCount("q")),
  " ",
  parts(upperCount("q")),
];

/** What stands at the place of a cluster's step in a list. */
const ofStep = (values: readonly string[]): ExpressionSpecification => ["at", ["get", "s"], ["literal", [...values]]];

/** The areas of a source that holds their names as well. */
const isShape: FilterSpecification = ["==", ["geometry-type"], "Polygon"];

/** Layers above the base map. @param counts whether clusters say how many points they hold */
export function ownLayers(counts: boolean, looks: readonly MapLook[]): LayerSpecification[] {
  const accent = token("accent");
  const steps = looks.filter(isStep);
  return [
    {
      id: "shapes",
      type: "fill",
      source: "shapes",
      filter: isShape,
      paint: { "fill-color": ["get", "color"], "fill-opacity": ["case", ["get", "chosen"], 0.3, 0.14] },
    },
    {
      id: "shape-lines",
      type: "line",
      source: "shapes",
      filter: isShape,
      paint: { "line-color": ["get", "color"], "line-width": ["case", ["get", "chosen"], 2.5, 1.5] },
    },
    { id: "area", type: "fill", source: "area", paint: { "fill-color": accent, "fill-opacity": 0.16 } },
    { id: "area-line", type: "line", source: "area", paint: { "line-color": accent, "line-width": 1.5 } },
    {
      id: "chosen",
      type: "circle",
      source: "chosen",
      paint: {
        "circle-radius": ["interpolate", ["linear"], ["zoom"], 4, 2.5, clusterZoom, 4, clusterZoom + 1, 14],
        "circle-color": accent,
        "circle-opacity": ["interpolate", ["linear"], ["zoom"], clusterZoom, 0.9, clusterZoom + 1, 0.35],
      },
    },
    {
      id: "points",
      type: "symbol",
      source: "points",
      filter: ["!", ["has", "point_count"]],
      layout: {
        "icon-image": ["concat", "status ", ["to-string", ["get", "s"]]],
        "icon-allow-overlap": true,
        "icon-ignore-placement": true,
      },
    },
    {
      id: "clusters",
      type: "symbol",
      source: "points",
      filter: ["has", "point_count"],
      layout: {
        "icon-image": steps.length > 0 ? ["concat", "step ", ["to-string", ["get", "s"]]] : ringName,
        "icon-size": ["step", ["get", "point_count"], 0.75, 100, 0.9, 1_000, 1],
        "icon-allow-overlap": true,
        "icon-ignore-placement": true,
        ...(counts
          ? {
              "text-field": ["number-format", ["get", "point_count"], { locale: "en" }] as ExpressionSpecification,
              "text-font": font,
              "text-size": 12,
              "text-allow-overlap": true,
              "text-ignore-placement": true,
            }
          : {}),
      },
      paint: {
        "text-color": steps.length > 0 ? ["to-color", ofStep(steps.map(({ share }) => inkOn(share)))] : token("fg-1"),
        ...hiddenAtFirst,
      },
    },
    ...(steps.length > 0
      ? [
          {
            id: "cluster-steps",
            type: "symbol" as const,
            source: "points",
            filter: ["has", "point_count"] as FilterSpecification,
            layout: {
              "text-field": ["to-string", ofStep(steps.map(({ label }) => label))] as ExpressionSpecification,
              "text-font": font,
              "text-size": 12,
              "text-anchor": "top" as const,
              "text-offset": [
                "step",
                ["get", "point_count"],
                ["literal", [0, 1.4]],
                100,
                ["literal", [0, 1.7]],
                1_000,
                ["literal", [0, 1.8]],
              ] as ExpressionSpecification,
              "text-allow-overlap": true,
              "text-ignore-placement": true,
            },
            paint: { "text-color": token("fg-1"), "text-halo-color": token("bg-base"), "text-halo-width": 1.5, ...hiddenAtFirst },
          },
        ]
      : []),
    {
      id: "shape-names",
      type: "symbol",
      source: "shapes",
      filter: ["has", "name"],
      layout: { "text-field": ["get", "name"], "text-font": font, "text-size": 12, "text-offset": [0, 0.2] },
      paint: { "text-color": token("fg-1"), "text-halo-color": token("bg-base"), "text-halo-width": 1.5 },
    },
  ];
}
