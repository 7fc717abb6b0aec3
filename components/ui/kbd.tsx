import classes from "./kbd.module.css";

/** A key or combination, as it stands on the keyboard: `Ctrl K`. */
export function Kbd({ children }: { children: string }) {
  return <kbd className={classes.kbd}>{children}</kbd>;
}
