"use client";
import { Button } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { DropMenu } from "#components/ui/drop-menu.tsx";
import { toast } from "#components/ui/toast.ts";
import { askToLeave } from "#components/ui/unsaved.ts";
import { uploadFile } from "#components/ui/upload-file.ts";
import { useExport } from "#components/ui/use-export.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";

type Kind = "DEFINITION" | "VALUES";

/** Definitions and values of attributes as workbooks, to and fro. What becomes of an import is told on the page of imports. */
export function SheetMenu() {
  const t = useTranslations("attributes.sheet");
  const project = useProjectNumber();
  const href = useHref();
  const router = useRouter();
  const { can } = useSession();
  const [exportSheet, exporting] = useExport("planAttr/export");
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const kind = useRef<Kind>("DEFINITION");
  const kinds: Kind[] = [
    ...(can("attribute.edit") ? (["DEFINITION"] as const) : []),
    ...(can("rollout.attributeEdit") ? (["VALUES"] as const) : []),
  ];
  if (kinds.length === 0) return null;
  const label = (one: Kind) => t(one === "VALUES" ? "values" : "definition");
  const send = async (file: File) => {
    setBusy(true);
    const sent = await uploadFile(file, project);
    const answer = sent.status < 400 ? await callDoor("planAttr/import", { kind: kind.current, fileId: sent.data?.fileId }) : sent;
    setBusy(false);
    if (answer.status >= 400) toast.problem(answer.msg ?? answer.code ?? "");
    else toast.done(t("started"), { actions: [{ label: t("show"), run: () => askToLeave(() => router.push(href("imports"))) }] });
  };
  return (
    <>
      <DropMenu
        trigger={<Button loading={busy}>{t("import")}</Button>}
        entries={kinds.map((one) => ({
          key: one,
          text: label(one),
          onClick: () => {
            kind.current = one;
            input.current?.click();
          },
        }))}
      />
      <DropMenu
        trigger={<Button loading={exporting}>{t("export")}</Button>}
        entries={kinds.map((one) => ({ key: one, text: label(one), onClick: () => void exportSheet({ kind: one }) }))}
      />
      <input
        ref={input}
        type="file"
        hidden
        accept=".xlsx,.xlsm"
        aria-label={t("import")}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file) void send(file);
        }}
      />
    </>
  );
}
