"use client";
import { IconMapQuestion } from "@tabler/icons-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { mayOpen, screenOf } from "#lib/screens.ts";
import { LinkList } from "./link-list.tsx";
import { nearestScreens, waysOn } from "./menu-model.ts";

/** In place of a screen nobody knows: the nearest entries of the menu and the way to the rollout plan, or to what else the person may open. */
export function NotFoundPanel() {
  const t = useTranslations("shell");
  const { can, project } = useSession();
  const address = decodeURIComponent(usePathname()).split("/").slice(2).join("/");
  const near = nearestScreens(address, can).map((screen) => screen.key);
  const home = mayOpen(screenOf("rolloutPlan"), can) ? ["rolloutPlan" as const] : waysOn(can, project.country);
  const keys = [...new Set([...near.filter((key) => key !== "rolloutPlan"), ...home])];
  return (
    <>
      <PageBar />
      <EmptyState
        icon={<IconMapQuestion size={28} stroke={1} aria-hidden="true" />}
        title={t("notFound.title")}
        text={t("notFound.text", { address: `/${address}` })}
      >
        <LinkList label={t("notFound.near")} keys={keys} />
      </EmptyState>
    </>
  );
}
