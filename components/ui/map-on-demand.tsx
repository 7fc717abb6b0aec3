"use client";
import classes from "./map-view.module.css";
import { onDemand } from "./on-demand.tsx";

/** The map, whose code and texts come when it is first shown: until then its place is kept, so that what stands beside it does not move. */
export const MapView = onDemand(
  () => import("./map-view.tsx").then((module) => module.MapView),
  ["map"],
  () => <div className={classes.frame} />,
);
