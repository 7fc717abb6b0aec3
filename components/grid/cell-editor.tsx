"use client";

import { useTranslations } from "next-intl";
import { type ComponentType, type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { copyCells, cutCells, pasteText } from "./block-edits.ts";
import { readCell } from "./cell-input.ts";
import { type GridHandlers, runCommand } from "./grid-commands.ts";
import type { AnyGrid, OpenEditor } from "./grid-controller.ts";
import { cellBox } from "./grid-geometry.ts";
import { commandOf } from "./grid-keymap.ts";
import type { CellKind, CellValue } from "./grid-model.ts";
import styles from "./planning-grid.module.css";
import type { ScrollWindow } from "./scroll-window.ts";

/** A list or calendar below the editor. The text field keeps the focus; `grid.editorKeys` lets the companion take keys first. */
export type CompanionProps = {
  grid: AnyGrid;
  editor: OpenEditor;
  /** What is typed so far; null until something is typed over the old value. */
  query: string | null;
  commit: (value: CellValue) => void;
};
export type Companions = Partial<Record<CellKind, ComponentType<CompanionProps>>>;

type EditorProps = {
  grid: AnyGrid;
  gridId: string;
  scroll: ScrollWindow;
  scroller: RefObject<HTMLDivElement | null>;
  handlers: GridHandlers;
  companions: Companions;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  readOnly: boolean;
};

const widestEditor = 360;
let ruler: CanvasRenderingContext2D | null = null;

function textWidth(text: string, field: HTMLElement): number {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return 0;
  ruler.font = getComputedStyle(field).font;
  return Math.max(...text.split("\n").map((line) => ruler?.measureText(line).width ?? 0));
}

/**
 * The one field of the grid: it always holds the focus, so that input methods work from the first key, and becomes the editor of the active cell
 * as soon as something is typed.
 */
export function CellEditor({ grid, gridId, scroll, scroller, handlers, companions, fieldRef, readOnly }: EditorProps) {
  const t = useTranslations("grid");
  const { editor, active } = grid;
  // Here and not where the whole grid would be drawn anew for it, in the first frame of a quick scroll.
  const isDrawn = useSyncExternalStore(
    scroll.subscribe,
    () => scroll.draws(active.row),
    () => false,
  );
  const [query, setQuery] = useState<string | null>(null);
  const layer = useRef<HTMLDivElement>(null);
  const Companion = editor ? companions[editor.column.kind] : undefined;

  const place = () => {
    const field = fieldRef.current;
    const box = scroller.current;
    if (!field || !box || !layer.current) return;
    const cell = grid.editor?.cell ?? grid.active;
    const { left, top, width, inside } = cellBox(box, grid.layout, cell);
    layer.current.style.transform = `translate(${left}px, ${top}px)`;
    layer.current.style.visibility = grid.editor && !inside ? "hidden" : "visible";
    if (!grid.editor) {
      field.style.width = `${width}px`;
      field.style.height = "";
      return;
    }
    const wanted = Math.max(width, Math.min(widestEditor, Math.ceil(textWidth(field.value, field)) + 20));
    field.style.width = `${Math.min(wanted, Math.max(width, box.clientWidth - left - 8))}px`;
    field.style.height = "28px";
    if (field.scrollHeight > 28) field.style.height = `${field.scrollHeight}px`;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: while nothing is edited, the field only has to be near the active cell.
  useLayoutEffect(place, [editor, grid.active, grid.layout]);

  useEffect(() => {
    const box = scroller.current;
    if (!editor || !box) return;
    box.addEventListener("scroll", place, { passive: true });
    return () => box.removeEventListener("scroll", place);
  });

  // The text of an opened editor: the old one to go on with, or what was typed on the cell.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per opened or closed editor.
  useLayoutEffect(() => {
    const field = fieldRef.current;
    if (!field) return;
    if (!editor) {
      field.value = "";
      setQuery(null);
    } else if (editor.mode === "keep") {
      field.value = editor.text;
      field.focus({ preventScroll: true });
      // Where a list is offered, typing looks for something else; elsewhere it goes on with the old text.
      const isSearch = editor.column.kind === "people" || editor.column.kind === "choice";
      field.setSelectionRange(isSearch ? 0 : field.value.length, field.value.length);
    }
    place();
  }, [editor?.rowKey, editor?.column, editor?.mode]);

  const onInput = () => {
    const field = fieldRef.current;
    if (!field) return;
    if (!grid.editor && !grid.beginEdit("replace")) {
      field.value = "";
      return;
    }
    setQuery(field.value);
    place();
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (grid.editor && grid.editorKeys?.(event.nativeEvent)) {
      event.preventDefault();
      return;
    }
    if (grid.editor && event.key === "Enter" && event.altKey && grid.editor.column.multiline) {
      event.preventDefault();
      fieldRef.current?.setRangeText("\n", fieldRef.current.selectionStart, fieldRef.current.selectionEnd, "end");
      onInput();
      return;
    }
    const command = commandOf(event, { editing: grid.editor !== null });
    if (!command) return;
    event.preventDefault();
    runCommand(grid, command, handlers);
  };

  return (
    <div ref={layer} className={styles.editors}>
      <textarea
        ref={fieldRef}
        rows={1}
        spellCheck={false}
        autoComplete="off"
        aria-label={t("editorLabel", { title: grid.columnAt(grid.active.column)?.title ?? "" })}
        aria-controls={gridId}
        aria-activedescendant={isDrawn && !editor ? `${gridId}-${active.row}-${active.column}` : undefined}
        aria-describedby={`${gridId}-help`}
        aria-readonly={readOnly || undefined}
        className={editor ? styles.editor : `${styles.editor} ${styles.idle}`}
        onInput={onInput}
        onCompositionStart={() => {
          if (!grid.editor) grid.beginEdit("replace");
        }}
        onKeyDown={onKeyDown}
        onBlur={() => handlers.finishEdit()}
        onCopy={(event) => {
          if (grid.editor) return;
          event.preventDefault();
          copyCells(grid, { put: (text) => event.clipboardData.setData("text/plain", text) });
        }}
        onCut={(event) => {
          if (grid.editor) return;
          event.preventDefault();
          if (grid.readOnly) copyCells(grid, { put: (text) => event.clipboardData.setData("text/plain", text) });
          else cutCells(grid, (text) => event.clipboardData.setData("text/plain", text));
        }}
        onPaste={(event) => {
          if (grid.editor) return;
          event.preventDefault();
          pasteText(grid, event.clipboardData.getData("text/plain"));
        }}
      />
      {editor && Companion && (
        // Pressing inside must not take the focus out of the field, which would end the edit.
        // biome-ignore lint/a11y/noStaticElementInteractions: only guards the focus.
        <div className={styles.companion} style={{ top: 30 }} onMouseDown={(event) => event.preventDefault()}>
          <Companion grid={grid} editor={editor} query={query} commit={(value) => grid.commit(value)} />
        </div>
      )}
    </div>
  );
}

/** Writes what stands in the field to the edited cell. Untouched text changes nothing; lists commit by themselves. */
export function commitField(grid: AnyGrid, field: HTMLTextAreaElement | null): void {
  const { editor } = grid;
  if (!editor || !field) return;
  if (field.value === editor.text) {
    grid.cancelEdit();
    return;
  }
  const reading = readCell(field.value, editor.column, grid.source, grid.aboveAt(editor.cell.row, editor.column));
  if (reading.ok) grid.commit(reading.value);
  else grid.commit(null, reading.typed);
}
