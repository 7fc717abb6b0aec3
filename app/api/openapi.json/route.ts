import { callDocument } from "#lib/core/openapi.ts";

export const dynamic = "force-dynamic";

export const { GET, POST } = callDocument;
