"use client";
import { type ComponentType, useCallback, useState } from "react";

/** A component that is read when it is first needed: null until then, and the reading, which ends when the component can be drawn. */
export function useLoaded<Props>(load: () => Promise<ComponentType<Props>>): [ComponentType<Props> | null, () => Promise<void>] {
  const [Part, setPart] = useState<ComponentType<Props> | null>(null);
  const read = useCallback(async () => {
    const loaded = await load();
    setPart(() => loaded);
  }, [load]);
  return [Part, read];
}
