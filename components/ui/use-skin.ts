"use client";
import { createContext, useContext } from "react";

export type Skin = "dark" | "light";

/** Filled by the providers of the page. */
export const SkinContext = createContext<{ skin: Skin; setSkin: (skin: Skin) => void }>({ skin: "dark", setSkin: () => {} });

/** The skin of the page and how to change it. */
export function useSkin(): { skin: Skin; setSkin: (skin: Skin) => void } {
  return useContext(SkinContext);
}
