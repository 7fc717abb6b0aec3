import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import classes from "./template-dialog.module.css";

type Props = {
  /** Name of the chosen file. */
  name: string | undefined;
  label: string;
  busy: boolean;
  onFile: (file: File) => void;
};

/** The name of a foreign plan's file, and the button that chooses one. */
export function PlanFileChoice({ name, label, busy, onFile }: Props) {
  const t = useTranslations("templates");
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={classes.foot}>
      <span className={classes.grow}>{name ?? t("reverse.noFile")}</span>
      <input
        ref={input}
        type="file"
        hidden
        accept=".xlsx,.xlsm,.csv"
        aria-label={label}
        onChange={(event) => {
          const given = event.currentTarget.files?.[0];
          // The same file can be chosen once more, after a failure.
          event.currentTarget.value = "";
          if (given) onFile(given);
        }}
      />
      <Button loading={busy} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </div>
  );
}
