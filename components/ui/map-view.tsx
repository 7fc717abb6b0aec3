"use client";
import { ActionIcon } from "@mantine/core";
import { IconArrowsMaximize, IconHandStop, IconLasso, IconMinus, IconPlus, IconRectangle } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type PointerEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { EmptyState } from "./empty-state.tsx";
import { MapEngine, type MapShape } from "./map-engine.ts";
import { type MapLook, token } from "./map-images.ts";
import { loadMapLibrary, type MapLibrary } from "./map-library.ts";
import { boxOf, type LngLat, type MapBox, type MapPoints, thinned } from "./map-points.ts";
import classes from "./map-view.module.css";
import { ownTask } from "./own-task.ts";
import { useSkin } from "./use-skin.ts";

/** What another part of the page may ask of a map. */
export type MapHandle = Pick<MapEngine, "goTo" | "fitRing" | "showAll" | "shown">;

type Props = {
  /** Name of the map for screen readers. */
  label: string;
  /** Address of a style to draw below; null: the outline of the countries. */
  styleUrl: string | null;
  /** null while they are being read. */
  points: MapPoints | null;
  /** Looks of points, by the number each carries. */
  looks: readonly MapLook[];
  /** Whether clusters say how many points they hold. */
  counts: boolean;
  /** Places of the chosen points. */
  chosen: readonly number[];
  shapes?: readonly MapShape[];
  /** Whether areas may be drawn. */
  draws?: boolean;
  /** A ring was drawn around points; `adds` with Shift. */
  onRing?: (ring: LngLat[], adds: boolean) => void;
  onPick?: (picked: { places: number[]; shape: number | null; adds: boolean }) => void;
  onBox?: (box: MapBox) => void;
  onReady?: (map: MapHandle) => void;
  /** What lies over the map: its legend. */
  children?: ReactNode;
};

const tools = ["pan", "lasso", "rectangle"] as const;
type Tool = (typeof tools)[number];
const toolIcons = { pan: IconHandStop, lasso: IconLasso, rectangle: IconRectangle } as const;
/** Corners of a drawn ring: enough for a hand, few enough to keep. */
const ringMost = 100;
/** Pixels from which a line drawn is more than a click. */
const drawnLeast = 6;

type Spot = [x: number, y: number];

// Asked for with this part of the page, not once it is drawn.
if (typeof window !== "undefined") loadMapLibrary().catch(() => {});

/** A map with points in clusters, areas, and tools to draw around points. Loaded on demand: the library comes with it. @throws where that does not come */
export function MapView(props: Props) {
  const { label, styleUrl, points, looks, counts, chosen, shapes, draws = false, children } = props;
  const t = useTranslations("map");
  const { skin } = useSkin();
  const container = useRef<HTMLDivElement>(null);
  const [engine, setEngine] = useState<MapEngine | null>(null);
  const [failed, setFailed] = useState(false);
  const [, raise] = useState(null);
  const [drawn, setDrawn] = useState(false);
  const [tool, setTool] = useState<Tool>("pan");
  const picked = useEffectEvent<MapEngineEvents["onPick"]>((given) => props.onPick?.(given));
  const moved = useEffectEvent((box: MapBox) => props.onBox?.(box));
  const ready = useEffectEvent((map: MapHandle) => props.onReady?.(map));
  const firstSkin = useRef(skin);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another base map or kind of point is another map; the rest is given to it.
  useEffect(() => {
    let made: MapEngine | undefined;
    let ended = false;
    const make = (library: MapLibrary) => {
      if (!container.current) return;
      try {
        made = new MapEngine(library, {
          container: container.current,
          label,
          styleUrl,
          looks,
          box: points && boxOf(points),
          counts,
          onPick: (given) => picked(given),
          onBox: (box) => moved(box),
          onDrawn: () => setDrawn(true),
        });
      } catch {
        // A browser without WebGL draws no map; the lists beside it stay.
        setFailed(true);
        return;
      }
      setEngine(made);
      ready(made);
    };
    loadMapLibrary()
      .then(async (library) => {
        await ownTask();
        if (!ended) make(library);
      })
      .catch((error) => {
        // The page says so, as of any part of it that does not come.
        if (!ended)
          raise(() => {
            throw error;
          });
      });
    return () => {
      ended = true;
      setEngine(null);
      made?.end();
    };
  }, [styleUrl, counts]);
  useEffect(() => {
    if (engine && points) void engine.setPoints(points);
  }, [engine, points]);
  useEffect(() => {
    if (engine && points) void engine.setChosen(points, chosen);
  }, [engine, points, chosen]);
  const isEmpty = chosen.length === 0;
  useEffect(() => {
    if (engine && isEmpty) void engine.setArea(null);
  }, [engine, isEmpty]);
  useEffect(() => {
    if (engine && shapes) void engine.setShapes(shapes, token);
  }, [engine, shapes]);
  useEffect(() => {
    if (!engine || firstSkin.current === skin) return;
    firstSkin.current = skin;
    // The tokens change with the next style the browser works out.
    const frame = requestAnimationFrame(() => {
      void engine.restyle();
      if (shapes) void engine.setShapes(shapes, token);
    });
    return () => cancelAnimationFrame(frame);
  }, [engine, skin, shapes]);

  const onDrawn = (line: Spot[], adds: boolean) => {
    if (!engine) return;
    const ring = thinned(line, ringMost).map(([x, y]) => engine.place(x, y));
    void engine.setArea(ring);
    props.onRing?.(ring, adds);
    setTool("pan");
  };
  return (
    <div className={classes.frame} data-drawn={drawn || undefined}>
      <div ref={container} className={classes.map} />
      {styleUrl === null ? <span className={classes.credit}>{t("credit")}</span> : null}
      {tool !== "pan" ? <Drawing tool={tool} onDrawn={onDrawn} onLeave={() => setTool("pan")} /> : null}
      {children}
      {failed ? (
        <div className={classes.failed}>
          <EmptyState title={t("failed.title")} text={t("failed.text")} />
        </div>
      ) : (
        <div className={classes.tools} role="toolbar" aria-label={t("tools")} aria-orientation="vertical">
          {draws
            ? tools.map((name) => {
                const Icon = toolIcons[name];
                return (
                  <ActionIcon
                    key={name}
                    aria-label={t(name)}
                    title={t(name)}
                    aria-pressed={tool === name}
                    variant={tool === name ? "light" : "subtle"}
                    color={tool === name ? "blue" : "gray"}
                    onClick={() => setTool(name)}
                  >
                    <Icon size={16} stroke={1.4} />
                  </ActionIcon>
                );
              })
            : null}
          {draws ? <span className={classes.line} /> : null}
          <ActionIcon aria-label={t("zoomIn")} title={t("zoomIn")} onClick={() => engine?.zoomBy(1)}>
            <IconPlus size={16} stroke={1.4} />
          </ActionIcon>
          <ActionIcon aria-label={t("zoomOut")} title={t("zoomOut")} onClick={() => engine?.zoomBy(-1)}>
            <IconMinus size={16} stroke={1.4} />
          </ActionIcon>
          <ActionIcon aria-label={t("fit")} title={t("fit")} onClick={() => engine?.showAll()}>
            <IconArrowsMaximize size={16} stroke={1.4} />
          </ActionIcon>
        </div>
      )}
      {points === null && !failed ? (
        <div className={classes.veil} role="status">
          {t("loading")}
        </div>
      ) : null}
    </div>
  );
}

type MapEngineEvents = { onPick: (picked: { places: number[]; shape: number | null; adds: boolean }) => void };

type DrawingProps = { tool: "lasso" | "rectangle"; onDrawn: (line: Spot[], adds: boolean) => void; onLeave: () => void };

/** The layer one draws on. Escape leaves it; who has no pointer chooses from the list of what is in view. */
function Drawing({ tool, onDrawn, onLeave }: DrawingProps) {
  const [line, setLine] = useState<Spot[]>([]);
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") leave();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  const spot = (event: PointerEvent<SVGSVGElement>): Spot => {
    const box = event.currentTarget.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const ring = tool === "rectangle" ? rectangleOf(line) : line;
  const end = (event: PointerEvent<SVGSVGElement>) => {
    const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
    const wide = Math.max(...xs) - Math.min(...xs) >= drawnLeast && Math.max(...ys) - Math.min(...ys) >= drawnLeast;
    setLine([]);
    if (ring.length > 2 && wide) onDrawn(ring, event.shiftKey);
  };
  return (
    <svg
      className={classes.drawing}
      aria-hidden="true"
      data-drawing={tool}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setLine([spot(event)]);
      }}
      onPointerMove={(event) => {
        if (line.length > 0) setLine([...line, spot(event)]);
      }}
      onPointerUp={end}
      onPointerCancel={() => setLine([])}
    >
      {ring.length > 1 ? <path d={`M${ring.map(([x, y]) => `${x} ${y}`).join("L")}Z`} /> : null}
    </svg>
  );
}

function rectangleOf(line: readonly Spot[]): Spot[] {
  const [from, to] = [line[0], line.at(-1)];
  if (!from || !to) return [];
  return [from, [to[0], from[1]], to, [from[0], to[1]]];
}
