"use client";
import { type ClipboardEvent, type KeyboardEvent, useId, useState } from "react";

type Props = {
  value: string;
  /** Takes the typed text; gives the reason when it cannot be taken, and the text then stays. */
  onCommit: (text: string) => string | null;
  label: string;
  className?: string | undefined;
  disabled?: boolean;
  invalid?: boolean;
  maxLength?: number;
  /** Id of a list of proposals. */
  list?: string;
  placeholder?: string;
  inputMode?: "numeric" | "text";
  align?: "right";
  id?: string;
  describedBy?: string | undefined;
  autoFocus?: boolean;
  /** Place in a table: `row column`, by which the focus is moved. */
  place?: string;
  /** Enter and the arrows move along the column after the text was taken. */
  onMove?: ((step: number) => void) | undefined;
  onPasteText?: ((text: string) => boolean) | undefined;
};

/** A text field whose text counts when it is left or confirmed with Enter; Esc brings the present value back. */
export function DraftInput({ value, onCommit, label, className, invalid, align, describedBy, place, onMove, onPasteText, ...rest }: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const note = useId();
  const commit = (): boolean => {
    if (draft === null || draft === value) {
      setDraft(null);
      setFault(null);
      return true;
    }
    const reason = onCommit(draft);
    setFault(reason);
    if (reason === null) setDraft(null);
    return reason === null;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Escape" && draft !== null) {
      event.stopPropagation();
      setDraft(null);
      setFault(null);
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (commit()) onMove?.(event.shiftKey ? -1 : 1);
    } else if (step !== 0 && onMove && !event.altKey) {
      event.preventDefault();
      if (commit()) onMove(step);
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData("text/plain");
    if (!onPasteText || !/[\t\n]/.test(text.replace(/\r?\n$/, ""))) return;
    event.preventDefault();
    if (onPasteText(text)) setDraft(null);
  };
  return (
    <>
      <input
        {...rest}
        type="text"
        aria-label={label}
        aria-invalid={invalid || fault !== null || undefined}
        aria-describedby={[fault === null ? "" : note, describedBy ?? ""].join(" ").trim() || undefined}
        title={fault ?? undefined}
        data-typing={(draft !== null && draft !== value) || undefined}
        data-place={place}
        data-align={align}
        className={className}
        value={draft ?? value}
        autoComplete="off"
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      {fault === null ? null : (
        <span id={note} role="alert" className="visually-hidden">
          {fault}
        </span>
      )}
    </>
  );
}
