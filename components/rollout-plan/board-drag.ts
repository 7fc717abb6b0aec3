import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from "react";
import type { BoardPlace } from "./board-content.ts";
import { type BoardLayout, boardHead, columnAt, laneAt, laneHead } from "./board-layout.ts";
import type { BoardItem } from "./board-store.ts";

/** How far the pointer goes before a press becomes a drag, and how near to an edge the board begins to move, in pixels. */
const threshold = 4;
const edge = 48;
const speed = 14;

type Options = {
  scroller: RefObject<HTMLElement | null>;
  layout: BoardLayout;
  styles: Readonly<Record<string, string>>;
  readOnly: boolean;
  itemOf: (key: string) => BoardItem | undefined;
  /** A card was dropped: from the column it was taken in, null where it was not planned. */
  onDrop: (item: BoardItem, from: number | null, to: number) => void;
  onChoose: (place: BoardPlace) => void;
  onOpen: (item: BoardItem) => void;
  onList: (place: BoardPlace) => void;
};

type Drag = {
  item: BoardItem;
  from: number | null;
  start: { x: number; y: number };
  last: { x: number; y: number };
  ghost: HTMLElement | null;
  mark: HTMLElement | null;
  source: HTMLElement;
  /** The pointer has been on the board away from its edges: what comes from beside it crosses one of them first. */
  entered: boolean;
};

/** Dragging cards over the board, and choosing and opening them with the pointer. */
export function useBoardDrag(options: Options) {
  const now = useRef(options);
  now.current = options;
  const drag = useRef<Drag | null>(null);
  const frame = useRef(0);

  const columnUnder = (x: number, y: number): number | null => {
    const { scroller, layout } = now.current;
    const element = scroller.current;
    if (!element) return null;
    const box = element.getBoundingClientRect();
    if (x < box.left + laneHead || x > box.right || y < box.top || y > box.bottom) return null;
    return columnAt(layout, x - box.left - laneHead + element.scrollLeft);
  };

  const follow = () => {
    const held = drag.current;
    const { scroller, layout, styles } = now.current;
    const element = scroller.current;
    if (!held?.ghost || !element) return;
    held.ghost.style.transform = `translate(${held.last.x + 6}px, ${held.last.y + 6}px)`;
    const column = columnUnder(held.last.x, held.last.y);
    if (!held.mark) {
      held.mark = document.createElement("div");
      held.mark.className = styles.target ?? "";
      element.firstElementChild?.append(held.mark);
    }
    held.mark.hidden = column === null;
    if (column !== null) {
      held.mark.style.left = `${laneHead + column * layout.columnWidth}px`;
      held.mark.style.width = `${layout.columnWidth}px`;
    }
  };

  /** Moves the board while the pointer rests at its edge. */
  const creep = () => {
    const held = drag.current;
    const element = now.current.scroller.current;
    if (!held?.ghost || !element) return;
    const box = element.getBoundingClientRect();
    const { x, y } = held.last;
    const inside = y > box.top && y < box.bottom && x > box.left + laneHead - edge && x < box.right;
    const way = x > box.right - edge ? 1 : x < box.left + laneHead + edge ? -1 : 0;
    if (inside && way === 0) held.entered = true;
    if (inside && held.entered) element.scrollLeft += way * speed;
    follow();
    frame.current = requestAnimationFrame(creep);
  };

  const end = (keep: boolean) => {
    const held = drag.current;
    drag.current = null;
    cancelAnimationFrame(frame.current);
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", letGo, true);
    if (!held) return;
    held.ghost?.remove();
    held.mark?.remove();
    held.source.classList.remove(now.current.styles.lifted ?? "lifted");
    if (!held.ghost || !keep) return;
    const column = columnUnder(held.last.x, held.last.y);
    if (column !== null && column !== held.from) now.current.onDrop(held.item, held.from, column);
  };
  const move = (event: globalThis.PointerEvent) => {
    const held = drag.current;
    if (!held) return;
    held.last = { x: event.clientX, y: event.clientY };
    if (!held.ghost) {
      if (Math.abs(event.clientX - held.start.x) + Math.abs(event.clientY - held.start.y) < threshold) return;
      const { styles } = now.current;
      held.ghost = held.source.cloneNode(true) as HTMLElement;
      held.ghost.removeAttribute("id");
      // Pictures are named on the board, which it leaves.
      held.ghost.style.setProperty("--lead", getComputedStyle(held.source).getPropertyValue("--lead"));
      held.ghost.className = `${held.source.className} ${styles.ghost}`;
      held.ghost.style.width = `${held.source.offsetWidth}px`;
      document.body.append(held.ghost);
      held.source.classList.add(styles.lifted ?? "lifted");
      frame.current = requestAnimationFrame(creep);
    }
    event.preventDefault();
  };
  const up = () => end(true);
  const cancel = () => end(false);
  const letGo = (event: globalThis.KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    end(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: ends with the view.
  useEffect(() => () => end(false), []);

  const begin = (event: PointerEvent, item: BoardItem, source: HTMLElement, from: number | null) => {
    if (now.current.readOnly || event.button !== 0) return;
    const at = { x: event.clientX, y: event.clientY };
    drag.current = { item, from, start: at, last: at, ghost: null, mark: null, source, entered: from !== null };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", cancel);
    addEventListener("keydown", letGo, true);
  };

  const placeAt = (event: { clientX: number; clientY: number; target: EventTarget }): BoardPlace | null => {
    const { scroller, layout } = now.current;
    const element = scroller.current;
    if (!element || layout.rooms.length === 0) return null;
    const box = element.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (x < laneHead || y < boardHead) return null;
    const lane = laneAt(layout, y - boardHead + element.scrollTop);
    const column = columnAt(layout, x - laneHead + element.scrollLeft);
    const named = (event.target as HTMLElement).closest<HTMLElement>("[role=button]");
    const at = named ? Number(named.id.split("-").at(-1)) : -1;
    return { lane, column, at: Number.isInteger(at) ? at : -1 };
  };

  return {
    /** Takes hold of something outside the board that is not planned. */
    grab: (event: PointerEvent, item: BoardItem) => begin(event, item, event.currentTarget as HTMLElement, null),
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        const place = placeAt(event);
        if (!place || event.button !== 0) return;
        now.current.onChoose(place);
        const card = (event.target as HTMLElement).closest<HTMLElement>("[data-key]");
        const item = card && now.current.itemOf(card.dataset.key ?? "");
        if (card && item) begin(event, item, card, place.column);
      },
      onDoubleClick: (event: { target: EventTarget }) => {
        const card = (event.target as HTMLElement).closest<HTMLElement>("[data-key]");
        const item = card && now.current.itemOf(card.dataset.key ?? "");
        if (item && !now.current.readOnly) now.current.onOpen(item);
      },
      onClick: (event: { clientX: number; clientY: number; target: EventTarget }) => {
        const named = (event.target as HTMLElement).closest<HTMLElement>("[role=button]");
        const place = placeAt(event);
        if (named && !named.dataset.key && place) now.current.onList(place);
      },
    },
    /** Keys while a card is held belong to the drag. */
    onKeyDown: (_event: KeyboardEvent): boolean => drag.current?.ghost != null,
  };
}
