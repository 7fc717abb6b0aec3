"use client";
import { Button } from "@mantine/core";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useHref } from "#components/ui/use-href.ts";

/** In place of a dialog when the address names none. */
export function DialogMissing() {
  const t = useTranslations("session.dialog");
  const href = useHref();
  return (
    <>
      <PageBar />
      <EmptyState title={t("missing")} text={t("text")}>
        <Button variant="filled" component={Link} href={href("rolloutPlan")} prefetch={false}>
          {t("plan")}
        </Button>
      </EmptyState>
    </>
  );
}
