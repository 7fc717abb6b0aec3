import { EditorPage } from "#components/plan-rules/editor-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ id?: string; type?: string }> };

/** Adds or edits one rule. [RUL-01] */
export default async function EditPlanRule({ params, searchParams }: Props) {
  await openScreen("editPlanRule", decodeOnce((await params).projectNumber));
  const { id, type } = await searchParams;
  return <EditorPage id={Number(id) || null} type={type ?? null} />;
}
