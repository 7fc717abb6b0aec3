"use client";
import { Menu } from "@mantine/core";
import { IconLogout, IconMoon, IconSettings, IconSun } from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
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
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <button type="button" className={classes.person} aria-label={t("person.menu", { name: user.name })}>
          {[...user.name.trim()][0]?.toUpperCase() ?? "?"}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name} · {user.account}
        </Menu.Label>
        <Menu.Item
          leftSection={skin === "dark" ? <IconSun size={16} stroke={1.4} /> : <IconMoon size={16} stroke={1.4} />}
          onClick={changeSkin}
        >
          {t(`person.skin.${other}`)}
        </Menu.Item>
        <Menu.Item leftSection={<IconSettings size={16} stroke={1.4} />} component={Link} href={href("preferences")} prefetch={false}>
          {t("person.preferences")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.4} />} onClick={() => void onSignOut()}>
          {t("person.signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
