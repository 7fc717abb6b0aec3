"use client";
import { Button, Modal, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { defaultDimensions, siteDimensionsMax, siteTypeNameChars } from "#lib/resources/site-types/limits.ts";
import type { SiteDimension } from "#lib/resources/site-types/queries.ts";
import classes from "./site-types.module.css";

type Props = { dimensions: readonly SiteDimension[]; onSaved: () => void; onClose: () => void };

/** The properties sites are divided by; a project without any is offered the usual ones. */
export function DimensionsDialog({ dimensions, onSaved, onClose }: Props) {
  const t = useTranslations("site-types.dimensions");
  const common = useTranslations("common");
  const [base] = useState(dimensions);
  const [rows, setRows] = useState<{ id?: number; name: string }[]>(() =>
    dimensions.length > 0
      ? dimensions.map(({ id, name }) => ({ id, name }))
      : defaultDimensions.map((key) => ({ name: t(`usual.${key}`) })),
  );
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { close, question } = useCloseGuard(useEdited(rows), onClose);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const answer = await callDoor("siteType/save", { dimensions: rows, base });
    setBusy(false);
    if (answer.status < 400) onSaved();
    else setProblem(answer.problems?.[0]?.msg ?? answer.msg);
  };
  return (
    <Modal opened onClose={close} title={t("verb")} size={440} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        {rows.map((row, at) => (
          <div key={`${at + 1}`} className={classes.row}>
            <TextInput
              aria-label={t("name", { number: at + 1 })}
              maxLength={siteTypeNameChars}
              value={row.name}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setRows((all) => all.map((one, place) => (place === at ? { ...one, name: value } : one)));
              }}
            />
            <Button variant="subtle" color="gray" onClick={() => setRows((all) => all.filter((_, place) => place !== at))}>
              {common("delete")}
            </Button>
          </div>
        ))}
        <div>
          <Button disabled={rows.length >= siteDimensionsMax} onClick={() => setRows((all) => [...all, { name: "" }])}>
            {common("add")}
          </Button>
        </div>
        <DialogFoot problem={problem} verb={common("save")} busy={busy} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
