"use client";
import { IconLock } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useScreen, useScreenTitle } from "#components/ui/use-screen.ts";
import { useSession } from "#components/ui/use-session.tsx";
import type { PermissionCode } from "#lib/permissions.ts";
import { DeniedWays } from "./denied-ways.tsx";
import { LinkList } from "./link-list.tsx";
import { waysOn } from "./menu-model.ts";

/** In place of a screen the person may not open: which right is missing, whom to ask, where to go on, and the way to sign in as somebody else. */
export function NotAuthorised() {
  const t = useTranslations("shell");
  const meaning = useTranslations("access");
  const { project, managers, can } = useSession();
  const here = useScreen();
  const title = useScreenTitle();
  const right = here?.screen.right ?? "member";
  const codes: readonly PermissionCode[] = right === "member" ? [] : typeof right === "string" ? [right] : right;
  const rights = codes.map((code) => `${meaning(`codes.${code}`)} (${code})`).join(t("denied.or"));
  const screen = here ? title(here.screen.key) : "";
  const ways = waysOn(can, project.country);
  return (
    <>
      <PageBar />
      <EmptyState
        icon={<IconLock size={28} stroke={1} aria-hidden="true" />}
        title={t("denied.title", { screen })}
        text={
          <>
            {rights ? t("denied.right", { rights }) : null}
            {codes.includes("attribute.permission") ? (
              <>
                <br />
                {t("denied.pmOnly")}
              </>
            ) : null}
            {managers.length > 0 ? (
              <>
                <br />
                {t("denied.ask", { names: managers.map((person) => person.name).join(t("denied.and")) })}
              </>
            ) : null}
          </>
        }
      >
        <DeniedWays mailOf={(asked) => t("denied.mailBody", { ...asked, rights })} />
        {ways.length > 0 ? <LinkList label={t("denied.ways")} keys={ways} titled /> : null}
      </EmptyState>
    </>
  );
}
