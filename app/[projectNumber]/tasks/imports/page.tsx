import { TasksPage } from "#components/tasks/tasks-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ id?: string | string[] }> };

export default async function Page({ params, searchParams }: Props) {
  await openScreen("imports", decodeOnce((await params).projectNumber));
  const { id } = await searchParams;
  return <TasksPage list="import" open={typeof id === "string" ? id : undefined} />;
}
