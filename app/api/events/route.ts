import { eventStream } from "#lib/core/event-stream.ts";

export const dynamic = "force-dynamic";

export const { GET, POST } = eventStream;
