"use client";
import { useHref } from "#components/ui/use-href.ts";
import { useScreenTitle } from "#components/ui/use-screen.ts";
import { useSession } from "#components/ui/use-session.tsx";

const screens = ["attributes", "displayedAttributes", "extendedFields", "attributePermissions"] as const;

/** The screens of attributes as tabs; that of permissions for who may open it. */
export function useAttributeTabs() {
  const href = useHref();
  const title = useScreenTitle();
  const { can } = useSession();
  return screens
    .filter((key) => key !== "attributePermissions" || can("attribute.permission"))
    .map((key) => ({ key, label: title(key), href: href(key) }));
}
