import { type ReactNode, Suspense } from "react";
import { KeepAlive } from "./keep-alive.tsx";
import { LanguageSwitch } from "./language-switch.tsx";
import { Mark } from "./mark.tsx";
import classes from "./plain-frame.module.css";

type Props = {
  /** Somebody is signed in, whose session lasts while the page is open. */
  signedIn?: boolean;
  children: ReactNode;
};

/** Frame of the few pages outside a project: mark, language, one thing in the middle. */
export function PlainFrame({ signedIn = false, children }: Props) {
  return (
    <div className={classes.frame}>
      <header className={classes.top}>
        <Mark />
        Milepost
        <Suspense>
          <LanguageSwitch />
        </Suspense>
      </header>
      <main className={classes.main}>
        {signedIn ? <KeepAlive /> : null}
        {children}
      </main>
    </div>
  );
}
