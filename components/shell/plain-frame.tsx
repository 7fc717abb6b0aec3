import { type ReactNode, Suspense } from "react";
import { LanguageSwitch } from "./language-switch.tsx";
import { Mark } from "./mark.tsx";
import classes from "./plain-frame.module.css";

/** Frame of the few pages outside a project: mark, language, one thing in the middle. */
export function PlainFrame({ children }: { children: ReactNode }) {
  return (
    <div className={classes.frame}>
      <header className={classes.top}>
        <Mark />
        Milepost
        <Suspense>
          <LanguageSwitch />
        </Suspense>
      </header>
      <main className={classes.main}>{children}</main>
    </div>
  );
}
