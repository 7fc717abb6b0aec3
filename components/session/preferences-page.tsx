"use client";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { DisplayCard } from "./display-card.tsx";
import { NoticesCard } from "./notices-card.tsx";
import classes from "./preferences.module.css";
import { SignInsCard } from "./sign-ins-card.tsx";
import { StartCard } from "./start-card.tsx";
import { TokensCard } from "./tokens-card.tsx";

/** What the present page was given of the person's choices. */
export type Chosen = { undoSteps: number | null };

/** The person's own settings: how things look, where to start, what to be reminded of, where he is signed in, what other areas keep for him (`children`), his API tokens. */
export function PreferencesPage({ chosen, children }: { chosen: Chosen; children: ReactNode }) {
  const t = useTranslations("session.preferences");
  return (
    <>
      <PageBar />
      <ScrollRegion className={classes.page} label={t("label")}>
        <div className={classes.cards}>
          <DisplayCard chosen={chosen} />
          <StartCard />
          <NoticesCard />
          <SignInsCard />
          {children}
          <TokensCard />
        </div>
      </ScrollRegion>
    </>
  );
}
