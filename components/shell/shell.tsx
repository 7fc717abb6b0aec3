"use client";
import { useMediaQuery } from "@mantine/hooks";
import { QueryClientProvider } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { historyMax, keepSteps } from "#components/grid/edit-history.ts";
import { useFailure } from "#components/ui/failure.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { makeQueryClient } from "#components/ui/query-client.ts";
import { useScreen } from "#components/ui/use-screen.ts";
import { type SessionFacts, SessionProvider } from "#components/ui/use-session.tsx";
import { useSkin } from "#components/ui/use-skin.ts";
import { useWas } from "#components/ui/use-was.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { offeredSizes } from "#lib/core/page-sizes.ts";
import { DoorsProvider, signOutTo } from "./doors.tsx";
import { EntryNotice } from "./entry-notice.tsx";
import { HashShim } from "./hash-shim.tsx";
import { Header } from "./header.tsx";
import { KeepAlive } from "./keep-alive.tsx";
import { LeaveGuard, type Leaving } from "./leave-guard.tsx";
import { PageTitle } from "./page-title.tsx";
import { noteRecent } from "./recent-screens.ts";
import { SessionWatch } from "./session-watch.tsx";
import classes from "./shell.module.css";
import type { ShellData, ShellDoors } from "./shell-data.ts";
import { SideMenu } from "./side-menu.tsx";
import { UpdateNotice } from "./update-notice.tsx";

const CommandBox = onDemand(() => import("./command-box.tsx").then((module) => module.CommandBox));
const FailurePlace = onDemand(() => import("./failure-place.tsx").then((module) => module.FailurePlace));

/** Below this width the menu is always the rail. */
const railBelow = "(max-width: 1279px)";

type Props = { data: ShellData; doors: ShellDoors; children: ReactNode };

/** Frame of every screen of a project: header, menu, the screen, and what watches over the session. */
export function Shell({ data, doors, children }: Props) {
  const t = useTranslations("shell");
  const words = useTranslations("ui.error");
  const [client] = useState(() => makeQueryClient({ failed: (reason) => words("choices", { reason }), retry: words("retry") }));
  const here = useScreen();
  const narrow = useMediaQuery(railBelow, false);
  const { setSkin } = useSkin();
  const [chosen, setChosen] = useState(data.menuFolded);
  const [commandOpen, setCommandOpen] = useState(false);
  const [commandLoaded, setCommandLoaded] = useState(false);
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  const failed = useWas(useFailure() !== null);
  // The plan needs the width; elsewhere the names of the menu help more.
  const rail = narrow || (chosen ?? here?.screen.key === "rolloutPlan");

  const facts = useMemo<SessionFacts>(() => {
    const pageSizes = offeredSizes(data.switches["page.rows500"] === "Y");
    return {
      user: data.user,
      project: data.project,
      roles: data.roles,
      currentRole: data.currentRole,
      offset: data.timeZone,
      managers: data.managers ?? [],
      // What was chosen in one project may not be offered in another.
      rowsPerPage: pageSizes.find((rows) => rows === data.rowsPerPage),
      pageSizes,
      can: (code) => data.permissions[code] === true,
    };
  }, [data]);
  const openCommand = useCallback(() => {
    setCommandLoaded(true);
    setCommandOpen(true);
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      openCommand();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [openCommand]);
  useEffect(() => {
    if (here) noteRecent(data.project.number, here.screen.key);
  }, [here, data.project.number]);
  // The skin of the person's settings wins over that of a browser he has not used before.
  useEffect(() => setSkin(data.skin), [data.skin, setSkin]);

  useEffect(() => keepSteps(data.undoSteps ?? historyMax), [data.undoSteps]);

  const fold = () => {
    setChosen(!rail);
    void callDoor("userSetting/saveUserSetting", { settingId: "menuFolded", value: !rail });
  };
  const ask = useCallback((next: Leaving) => setLeaving(next), []);
  const askForHash = useCallback((go: () => void, stay: () => void) => setLeaving({ go, stay }), []);
  return (
    <QueryClientProvider client={client}>
      <SessionProvider value={facts}>
        <DoorsProvider value={doors}>
          <PageTitle />
          <a className={classes.skip} href="#main">
            {t("skip")}
          </a>
          <div className={classes.app} data-rail={rail || undefined}>
            <Header data={data} onCommand={openCommand} onSignOut={() => signOutTo(doors, "/")} />
            <SideMenu rail={rail} onFold={fold} />
            <main className={classes.main} id="main" tabIndex={-1}>
              <KeepAlive />
              <UpdateNotice />
              {children}
            </main>
          </div>
          <HashShim onLeave={askForHash} />
          <LeaveGuard leaving={leaving} onAsk={ask} onDone={() => setLeaving(null)} />
          <SessionWatch doors={doors} />
          <EntryNotice notices={data.notices} />
          {failed ? <FailurePlace /> : null}
          {commandLoaded ? <CommandBox opened={commandOpen} onClose={() => setCommandOpen(false)} /> : null}
        </DoorsProvider>
      </SessionProvider>
    </QueryClientProvider>
  );
}
