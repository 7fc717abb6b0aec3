import { textWidthMost } from "#components/grid/text-width.ts";
import type { Status } from "#components/ui/glyph-paths.ts";
import type { BoardLayout } from "./board-layout.ts";

/** A card as it is drawn. */
export type CardLook = {
  key: string;
  tone: Status;
  code: string;
  name: string;
  spoken: string;
  mark: "dirty" | "refused" | "conflict" | null;
};

/** A cell as it is drawn: its cards, or how many there are while they are not read or are too many. */
export type CellLook = {
  cards: readonly CardLook[] | null;
  count: number | null;
  /** What a screen reader says of the cell before its cards. */
  spoken: string;
  /** More than the lane may hold, and what is said about it. */
  over: string | null;
  isFree: boolean;
  isToday: boolean;
};

/** The head of a lane as it is drawn: its fullest cell against the number set for it. */
export type LaneLook = { title: string; note: string; share: number | null; tone: "ok" | "warn" | "danger" | null };

/** What the painter draws. */
export type BoardContent = {
  layout: BoardLayout;
  lane: (lane: number) => LaneLook;
  cell: (lane: number, column: number) => CellLook;
  more: (count: number) => string;
};

/** Where the keyboard is: a card of a cell, the line that counts the others, or an empty cell (at -1). */
export type BoardPlace = { lane: number; column: number; at: number };

export type Styles = Readonly<Record<string, string>>;
/** Widest a code stands in front of the name of an activity, in pixels. */
export const codeWidth = 72;

/** Whether the code of a card might be wider than there is room for it. */
export const isCodeCut = ({ code }: CardLook): boolean => textWidthMost(code) > codeWidth;

/** The classes of a card, of the code in it, and of a cell. */
export const cardClass = (styles: Styles, look: CardLook, isActive: boolean): string =>
  `${styles.card} ${styles[`tone_${look.tone}`] ?? ""}${look.mark ? ` ${styles[look.mark]}` : ""}${isActive ? ` ${styles.active}` : ""}`;
export const codeClass = (styles: Styles, look: CardLook): string => `${styles.code}${isCodeCut(look) ? ` ${styles.cut}` : ""}`;
export const cellClass = (styles: Styles, look: CellLook, isActive: boolean): string =>
  `${styles.cell}${look.isFree ? ` ${styles.free}` : ""}${look.isToday ? ` ${styles.today}` : ""}${look.over ? ` ${styles.over}` : ""}${isActive ? ` ${styles.active}` : ""}`;
