"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useScreen, useScreenTitle } from "#components/ui/use-screen.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { signOutTo, useDoors } from "./doors.tsx";

/** What a mail to the managers says: the screen by its title, the account, the address of the page. */
export type Asked = { screen: string; account: string; address: string };

/** The two ways on of who was refused: a mail to the managers of the project, and the sign-in of somebody else, who comes to the same address. */
export function DeniedWays({ mailOf }: { mailOf: (asked: Asked) => string }) {
  const t = useTranslations("shell.denied");
  const { user, project, managers } = useSession();
  const here = useScreen();
  const title = useScreenTitle();
  const doors = useDoors();
  const writeMail = () => {
    const screen = here ? title(here.screen.key) : "";
    const subject = t("mailSubject", { screen, project: project.number });
    const body = mailOf({ screen, account: user.account, address: window.location.href });
    window.location.assign(
      `mailto:${managers.map((person) => person.email).join(",")}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`,
    );
  };
  return (
    <>
      <Button variant="filled" onClick={writeMail} disabled={managers.length === 0}>
        {t("mail")}
      </Button>
      <Button onClick={() => void signOutTo(doors, `${window.location.pathname}${window.location.search}`)}>{t("other")}</Button>
    </>
  );
}
