import { declineByLink } from "#app/api/mail/unsubscribe/decline.ts";

export const dynamic = "force-dynamic";

type Given = { params: Promise<{ token: string }> };

/** A mail program that opens the address instead of posting to it is led to the page that asks. */
export async function GET(_request: Request, { params }: Given): Promise<Response> {
  const { token } = await params;
  return new Response(null, { status: 302, headers: { location: `/unsubscribe/${encodeURIComponent(token)}` } });
}

/** The button of the page, and the one click of a mail program. */
export async function POST(request: Request, { params }: Given): Promise<Response> {
  return declineByLink(request, (await params).token);
}
