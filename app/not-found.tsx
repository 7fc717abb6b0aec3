import { getTranslations } from "next-intl/server";
import { PlainFrame } from "#components/shell/plain-frame.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";

/** An address outside every project that leads nowhere. */
export default async function NotFound() {
  const t = await getTranslations("shell");
  return (
    <PlainFrame>
      <title>Milepost</title>
      <EmptyState level={1} title={t("notFound.title")}>
        <LinkButton href="/">{t("notFound.home")}</LinkButton>
      </EmptyState>
    </PlainFrame>
  );
}
