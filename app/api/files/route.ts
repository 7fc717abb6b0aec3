import { uploadFile } from "#lib/tasks/routes.ts";

export const dynamic = "force-dynamic";

export const { GET, POST } = uploadFile;
