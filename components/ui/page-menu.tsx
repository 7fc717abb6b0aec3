"use client";
import { ActionIcon } from "@mantine/core";
import { IconDots, IconHistory, IconLink } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { classicHref } from "#lib/core/href.ts";
import { DropMenu } from "./drop-menu.tsx";
import { useCopy } from "./use-copy.ts";
import { useProjectNumber } from "./use-href.ts";
import { useScreen } from "./use-screen.ts";

/** Menu every screen has: copy its link in the present and in the classic form. Both are valid for ever. */
export function PageMenu() {
  const t = useTranslations("ui");
  const here = useScreen();
  const number = useProjectNumber();
  const classic = here && classicHref(here.screen, here.params, here.query, number);
  const copy = useCopy();
  const done = t("page.copied");
  return (
    <DropMenu
      position="bottom-end"
      trigger={
        <ActionIcon aria-label={t("page.more")}>
          <IconDots size={16} stroke={1.4} />
        </ActionIcon>
      }
      entries={[
        {
          key: "link",
          text: t("page.copyLink"),
          icon: <IconLink size={16} stroke={1.4} />,
          onClick: () => void copy(window.location.href, { done }),
        },
        ...(classic
          ? [
              {
                key: "classic",
                text: t("page.copyClassic"),
                icon: <IconHistory size={16} stroke={1.4} />,
                onClick: () => void copy(new URL(classic, window.location.origin).href, { done }),
              },
            ]
          : []),
      ]}
    />
  );
}
