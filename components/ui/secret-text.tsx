"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import classes from "./secret-text.module.css";
import { toast } from "./toast.ts";

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
  return (
    <div className={classes.form}>
      <p className={classes.note} role="status">
        {note}
      </p>
      <code className={classes.secret}>{secret}</code>
      <div className={classes.foot}>
        <Button onClick={() => navigator.clipboard.writeText(secret).then(() => toast.done(copied))}>{copy}</Button>
        <Button variant="filled" onClick={onClose}>
          {common("close")}
        </Button>
      </div>
    </div>
  );
}
