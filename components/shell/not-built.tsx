"use client";
import { IconHammer } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useScreen, useScreenTitle } from "#components/ui/use-screen.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { mayOpen, menuGroupOf, type ScreenKey, screenOf } from "#lib/screens.ts";
import { LinkList } from "./link-list.tsx";

const shownLinks = 6;

/**
 * In place of a screen that does not exist yet: says so plainly, says what it will be, and leads to screens that do exist.
 * @param built keys of the screens that exist
 */
export function NotBuilt({ built }: { built: readonly ScreenKey[] }) {
  const t = useTranslations("shell");
  const { can } = useSession();
  const here = useScreen();
  const title = useScreenTitle();
  if (!here) return null;
  const { screen } = here;
  const group = menuGroupOf(screen.key);
  const links = built
    .filter((key) => screenOf(key).menu && mayOpen(screenOf(key), can))
    .sort((left, right) => Number(menuGroupOf(right) === group) - Number(menuGroupOf(left) === group))
    .slice(0, shownLinks);
  return (
    <>
      <PageBar />
      <EmptyState
        icon={<IconHammer size={28} stroke={1} aria-hidden="true" />}
        title={t("notBuilt.title", { screen: title(screen.key) })}
        text={
          <>
            {t("notBuilt.text")}
            <br />
            {t(`areas.${screen.area}`)}
          </>
        }
      >
        <LinkList label={t("notBuilt.links")} keys={links} />
      </EmptyState>
    </>
  );
}
