"use client";
import { Button } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";

/** A link that looks like a button: it goes somewhere and changes nothing. */
export function LinkButton({
  href,
  primary = false,
  icon,
  children,
}: {
  href: string;
  primary?: boolean;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Button component={Link} href={href} prefetch={false} variant={primary ? "filled" : "default"} leftSection={icon}>
      {children}
    </Button>
  );
}
