"use client";
import { Button } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { IconFileSpreadsheet } from "@tabler/icons-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import classes from "./file-drop.module.css";

type Props = {
  /** What may be dropped here. */
  text: string;
  verb: string;
  /** Endings and sizes that are taken. */
  hint: string;
  endings: readonly string[];
  multiple?: boolean;
  /** The verb is the one the page is about. */
  primary?: boolean;
  onFiles: (files: File[]) => void;
  /** Further verbs beside the one that opens the files of the computer. */
  children?: ReactNode;
};

/** A place that takes files: dropped on it, or chosen by its button. */
export function FileDrop({ text, verb, hint, endings, multiple = false, primary = false, onFiles, children }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const listening = useMounted();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null) => {
    if (files && files.length > 0) onFiles([...files]);
    if (input.current) input.current.value = "";
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the second way, the button inside is the first
    <div
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconFileSpreadsheet size={28} stroke={1} aria-hidden="true" />
      <p>{text}</p>
      {/* Not before the page listens: a file given to it earlier would be lost. */}
      {listening ? (
        <input
          ref={input}
          type="file"
          hidden
          multiple={multiple}
          accept={endings.join(",")}
          onChange={(event) => take(event.currentTarget.files)}
        />
      ) : null}
      <div className={classes.verbs}>
        <Button data-autofocus variant={primary ? "filled" : "default"} onClick={() => input.current?.click()}>
          {verb}
        </Button>
        {children}
      </div>
      <p className={classes.hint}>{hint}</p>
    </div>
  );
}
