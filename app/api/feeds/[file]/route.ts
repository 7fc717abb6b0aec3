import { answerFeed } from "#app/api/feeds/answer.ts";

export const dynamic = "force-dynamic";

/** A person's calendar of a project, under a secret address. */
export async function GET(request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  return answerFeed(request, (await params).file);
}
