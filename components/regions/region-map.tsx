"use client";
import { useTranslations } from "next-intl";
import type { RegionPoint, RegionRow } from "#lib/regions/queries.ts";
import classes from "./regions.module.css";

const width = 360;
const height = 240;
const colors = 6;

/** Colour of the region at a place of the list: six, then the same once more in a paler shade; names tell them apart. */
export function regionColor(place: number): string {
  if (place < 0) return "var(--fg-3)";
  const color = `var(--c${(place % colors) + 1})`;
  return Math.floor(place / colors) % 2 === 0 ? color : `color-mix(in srgb, ${color} 50%, var(--bg-base))`;
}

/** Where the DUs of the regions are: a thumbnail, not a map to work on. */
export function RegionMap({ points, regions }: { points: readonly RegionPoint[]; regions: readonly RegionRow[] }) {
  const t = useTranslations("regions");
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(width / Math.max(right - left, 0.01), height / Math.max(top - bottom, 0.01)) * 0.92;
  const x = (given: number) => width / 2 + (given - (left + right) / 2) * scale;
  const y = (given: number) => height / 2 - (given - (bottom + top) / 2) * scale;
  return (
    <figure className={classes.map}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t("map")}>
        {points.map(([longitude, latitude, place], at) => (
          <circle key={at} cx={x(longitude)} cy={y(latitude)} r={2} style={{ fill: regionColor(place) }} />
        ))}
      </svg>
      <figcaption>
        {regions.map(({ id, name }, place) => (
          <span key={id} className={classes.legend}>
            <span className={classes.swatch} style={{ background: regionColor(place) }} />
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
