"use client";
import { useTranslations } from "next-intl";
import { useScreen, useScreenTitle } from "#components/ui/use-screen.ts";
import { useSession } from "#components/ui/use-session.tsx";

/** Title of the document: the screen's title and the project's number. */
export function PageTitle() {
  const t = useTranslations("ui");
  const { project } = useSession();
  const here = useScreen();
  const title = useScreenTitle();
  return <title>{`${here ? title(here.screen.key) : t("page.unknown")} - ${project.number}`}</title>;
}
