"use client";
import { useEffect } from "react";

/**
 * Tells the dialog around a form whether the form is edited; once the form is gone it is not.
 * @param tell the same function at every rendering, as the setter of a state is; none where a form stands in no dialog
 */
export function useTellEdited(isEdited: boolean, tell: ((isEdited: boolean) => void) | undefined): void {
  useEffect(() => {
    tell?.(isEdited);
    return () => tell?.(false);
  }, [isEdited, tell]);
}
