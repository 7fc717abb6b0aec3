"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import classes from "./dialog-foot.module.css";
import { isSecondPress } from "./second-press.ts";

type Props = {
  /** What is wrong with the whole, beside what stands at the fields. */
  problem: string | undefined;
  verb: string;
  busy: boolean;
  disabled?: boolean;
  danger?: boolean;
  onClose: () => void;
};

/** End of a form in a dialog: the problem of the whole, the way out, and the verb. */
export function DialogFoot({ problem, verb, busy, disabled = false, danger = false, onClose }: Props) {
  const common = useTranslations("common");
  return (
    <>
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      ) : null}
      <div className={classes.foot}>
        <Button onClick={onClose}>{common("cancel")}</Button>
        <Button
          type="submit"
          variant="filled"
          color={danger ? "red" : "blue"}
          loading={busy}
          disabled={disabled}
          onClick={(event) => isSecondPress(event) && event.preventDefault()}
        >
          {verb}
        </Button>
      </div>
    </>
  );
}
