"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useNewerBuild } from "#components/ui/use-newer-build.ts";
import classes from "./shell.module.css";

/** Says that the product was updated under the page. The page goes on; when it is loaded anew is the person's choice, and unsaved edits are asked about. */
export function UpdateNotice() {
  const t = useTranslations();
  const updated = useNewerBuild();
  const [later, setLater] = useState(false);
  if (!updated || later) return null;
  return (
    <div className={classes.banner} role="status">
      <span>{t("shell.update.text")}</span>
      <button type="button" className={classes.bannerVerb} onClick={() => window.location.reload()}>
        {t("ui.error.reload")}
      </button>
      <button type="button" className={classes.bannerVerb} onClick={() => setLater(true)}>
        {t("shell.update.later")}
      </button>
    </div>
  );
}
