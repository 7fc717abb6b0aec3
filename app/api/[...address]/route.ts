import { handleCall } from "#lib/core/door.ts";

type Context = { params: Promise<{ address: string[] }> };

async function answer(request: Request, { params }: Context): Promise<Response> {
  return handleCall(request, (await params).address.map(decodeURIComponent));
}

export { answer as GET, answer as POST };
export const dynamic = "force-dynamic";
