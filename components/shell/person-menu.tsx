"use client";
import { IconLogout, IconMoon, IconSettings, IconSun } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { DropMenu } from "#components/ui/drop-menu.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { useSkin } from "#components/ui/use-skin.ts";
import { callDoor } from "#lib/core/call-door.ts";
import classes from "./header.module.css";

/** The person: skin, personal settings, sign out. */
export function PersonMenu({ onSignOut }: { onSignOut: () => Promise<void> }) {
  const t = useTranslations("shell");
  const { user } = useSession();
  const { skin, setSkin } = useSkin();
  const href = useHref();
  const other = skin === "dark" ? "light" : "dark";
  const changeSkin = () => {
    setSkin(other);
    void callDoor("userSetting/saveUserSetting", { settingId: "skin", value: other });
  };
  return (
    <DropMenu
      position="bottom-end"
      width={220}
      trigger={
        <button type="button" className={classes.person} aria-label={t("person.menu", { name: user.name })}>
          {[...user.name.trim()][0]?.toUpperCase() ?? "?"}
        </button>
      }
      entries={[
        { title: `${user.name} · ${user.account}` },
        {
          key: "skin",
          text: t(`person.skin.${other}`),
          icon: skin === "dark" ? <IconSun size={16} stroke={1.4} /> : <IconMoon size={16} stroke={1.4} />,
          onClick: changeSkin,
        },
        {
          key: "preferences",
          text: t("person.preferences"),
          icon: <IconSettings size={16} stroke={1.4} />,
          href: href("preferences"),
        },
        "divider",
        {
          key: "signOut",
          text: t("person.signOut"),
          icon: <IconLogout size={16} stroke={1.4} />,
          onClick: () => void onSignOut(),
        },
      ]}
    />
  );
}
