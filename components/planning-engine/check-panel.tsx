"use client";
import { IconCircleCheck } from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useHref } from "#components/ui/use-href.ts";
import type { InputCheck } from "#lib/planning-engine/input-check/queries.ts";
import { inputOf } from "./engine-blocks.ts";
import { FindingList } from "./finding-list.tsx";
import classes from "./home.module.css";

type Props = { versionId: number; check: InputCheck; onSettings: () => void };

/** Errors and warnings of the inputs; each leads to the rows it speaks of. */
export function CheckPanel({ versionId, check, onSettings }: Props) {
  const t = useTranslations("engine-home.check");
  const href = useHref();
  const { errors, warnings } = check;
  const isClean = errors.length + warnings.length === 0;
  return (
    <section className={classes.check} aria-label={t("label")}>
      <div className={classes.line}>
        <h2>{t("label")}</h2>
        <span role="status" className={errors.length > 0 ? classes.problem : classes.quiet}>
          {isClean ? t("clean") : t("found", { errors: errors.length, warnings: warnings.length })}
        </span>
      </div>
      {isClean ? (
        <p className={classes.clean}>
          <IconCircleCheck size={16} stroke={1.4} aria-hidden="true" />
          {t("ready")}
        </p>
      ) : (
        <FindingList
          check={check}
          lead={({ block, duCode }, text) => {
            const input = inputOf[block];
            return input ? (
              <Link prefetch={false} href={href("engineInputs", { query: { block: input, versionId, ...(duCode && { search: duCode }) } })}>
                {text}
              </Link>
            ) : (
              <button type="button" className={classes.link} onClick={onSettings}>
                {text}
              </button>
            );
          }}
        />
      )}
    </section>
  );
}
