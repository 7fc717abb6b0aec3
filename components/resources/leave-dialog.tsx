"use client";
import { useTranslations } from "next-intl";
import { Confirm } from "#components/ui/confirm.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { deleteResources, setResourceStatus } from "#lib/resources/pool/actions.ts";
import { peoplePerCall } from "#lib/resources/pool/limits.ts";
import type { Resource } from "#lib/resources/pool/queries.ts";

type Props = { people: readonly Resource[]; verb: "delete" | "ACTIVE" | "INACTIVE"; onClose: () => void; onDone: () => Promise<void> };

/** Asks before people leave the pool, stop, or work again. */
export function LeaveDialog({ people, verb, onClose, onDone }: Props) {
  const t = useTranslations("resources");
  const [remove] = useAction(deleteResources);
  const [set] = useAction(setResourceStatus);
  const ids = people.map(({ id }) => id);
  const many = people.length > peoplePerCall;
  return (
    <Confirm
      opened
      danger={verb !== "ACTIVE"}
      verb={t(`leave.${verb}`, { count: people.length })}
      onClose={onClose}
      onConfirm={async () => {
        const answer = verb === "delete" ? await remove({ ids }) : await set({ ids, status: verb });
        if (answer.status < 400) return onDone();
        toast.problem([...new Set((answer.problems ?? []).map(({ msg }) => msg)), answer.msg].filter(Boolean)[0] ?? t("failed"));
      }}
    >
      {many ? t("tooMany", { max: peoplePerCall }) : t(`leave.${verb}Text`)}
    </Confirm>
  );
}
