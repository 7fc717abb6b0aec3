import { busyOrders, farKm, scoreParts, starsMax, starsWithout, unknownKm } from "./limits.ts";

const radians = (degrees: number) => (degrees * Math.PI) / 180;
const earthKm = 6371;

type Place = { longitude: number; latitude: number };

/** Distance of two places along the sphere, in kilometres. */
export function distanceKm(a: Place, b: Place): number {
  const [dLat, dLng] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)];
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(dLng / 2) ** 2;
  return 2 * earthKm * Math.asin(Math.sqrt(h));
}

/** Mean distance of a base to places; null where the base or every place is not known. */
export function meanKm(base: Place | null, places: readonly Place[]): number | null {
  if (!base || places.length === 0) return null;
  return Math.round((places.reduce((sum, place) => sum + distanceKm(base, place), 0) / places.length) * 10) / 10;
}

/** How well a person fits, from 0 to 100 with one decimal. [RES-10] */
export function score({
  hasSkill,
  distance,
  openOrders,
  stars,
}: {
  hasSkill: boolean;
  distance: number | null;
  openOrders: number;
  stars: number | null;
}): number {
  const sum =
    (hasSkill ? scoreParts.skill : 0) +
    scoreParts.distance * (1 - Math.min(distance ?? unknownKm, farKm) / farKm) +
    scoreParts.orders * (1 - Math.min(openOrders, busyOrders) / busyOrders) +
    (scoreParts.stars * (stars ?? starsWithout)) / starsMax;
  return Math.round(sum * 10) / 10;
}
