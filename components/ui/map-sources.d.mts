import type { MapPoints } from "./map-points.ts";

type Points = { type: "Feature"; properties: object; geometry: { type: "MultiPoint"; coordinates: [number, number][] } };
type Load = (asked: { url: string }, abort: AbortController) => Promise<{ data: object }>;

export const degree: number;
export function pointsFile(points: Pick<MapPoints, "xs" | "ys" | "statuses">): Blob;
export function pointsAddress(file: string, properties: readonly object[]): string;
export function shapesAddress(file: string): string;
export function pointShapes(bytes: ArrayBuffer, properties: readonly object[]): { type: "FeatureCollection"; features: Points[] };
export function staying<Shapes extends { type: string }>(shapes: Shapes): Shapes;
export function addSources(worker: { addProtocol: (name: string, load: Load) => void }): void;
