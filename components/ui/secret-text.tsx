"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import classes from "./secret-text.module.css";
import { useCopy } from "./use-copy.ts";

type Props = {
  secret: string;
  /** That it is shown this once. */
  note: string;
  copy: string;
  copied: string;
  onClose: () => void;
};

/** A secret that is shown once, to be copied. */
export function SecretText({ secret, note, copy, copied, onClose }: Props) {
  const common = useTranslations("common");
  const put = useCopy();
  return (
    <div className={classes.form}>
      <p className={classes.note} role="status">
        {note}
      </p>
      <code className={classes.secret}>{secret}</code>
      <div className={classes.foot}>
        <Button onClick={() => put(secret, { done: copied, shown: true })}>{copy}</Button>
        <Button variant="filled" onClick={onClose}>
          {common("close")}
        </Button>
      </div>
    </div>
  );
}
