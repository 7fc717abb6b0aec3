/** Whether a click is the second press of a double click: it was meant for the button as it stood before the first press changed what it does. */
export function isSecondPress({ detail }: { detail: number }): boolean {
  return detail > 1;
}
