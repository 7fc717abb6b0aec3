import "server-only";
import { z } from "zod";
import { allCalls, allRoutes } from "#lib/calls.ts";
import { type ErrorCode, errors } from "#lib/errors.ts";
import type { Declaration } from "./action.ts";
import { route } from "./route.ts";

/** Refusals any call in a project may answer. */
const common: ErrorCode[] = [
  "INVALID_INPUT",
  "SIGNED_OUT",
  "NO_PERMISSION",
  "NOT_AUTHORISED_FOR_PROJECT",
  "PROJECT_REQUIRED",
  "SYSTEM_FAILURE",
];

/** One call as people and machines read it. */
export type CallSheet = {
  area: string;
  name: string;
  address: string;
  method: "GET" | "POST";
  kind: "read" | "write";
  /** Codes of which any suffices, `signedIn`, `member`, or `by input`. */
  right: string;
  input: unknown;
  /** Media type of the body, and of a good answer, where they are not JSON. */
  takes: string | null;
  gives: string | null;
  errors: ErrorCode[];
};

/** What a declaration needs, as text. */
export function rightText(needs: Declaration["needs"]): string {
  return typeof needs === "function" ? "by input" : typeof needs === "string" ? needs : needs.join(", ");
}

type Listed = { area: string; name: string; address: string; declaration: Declaration; takes: string | null; gives: string | null };

/** Every call and route, by area and address. */
export async function listCallSheets(): Promise<CallSheet[]> {
  const [calls, routes] = await Promise.all([allCalls(), allRoutes()]);
  const listed: Listed[] = [
    ...calls.map((call) => ({ ...call, address: call.declaration.address, takes: null, gives: null })),
    ...routes.flatMap(({ area, name, route: { declaration, addresses, takes, gives } }) =>
      addresses.map((address) => ({ area, name, address, declaration, takes, gives })),
    ),
  ];
  return listed
    .map(({ area, name, address, declaration, takes, gives }) => ({
      area,
      name,
      address,
      method: declaration.method ?? ("POST" as const),
      kind: declaration.kind ?? ("write" as const),
      right: rightText(declaration.needs),
      input: takes ? fileForm : z.toJSONSchema(declaration.input, { io: "input", unrepresentable: "any" }),
      takes,
      gives,
      errors: [...(declaration.errors ?? [])],
    }))
    .sort((left, right) => left.area.localeCompare(right.area) || left.address.localeCompare(right.address));
}

/** The form in which a file is brought. */
const fileForm = { type: "object", required: ["file"], properties: { file: { type: "string", format: "binary" } } };

/** The OpenAPI 3.1 document of all declared calls. */
export async function openApi(): Promise<Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  const names = new Set<string>();
  for (const call of await listCallSheets()) {
    const parts = [...call.address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
    const inProject = call.right !== "signedIn";
    paths[`/api/${call.address}`] = {
      [call.method.toLowerCase()]: {
        // A second address needs a name of its own.
        operationId: `${call.area}.${call.name}${names.has(`${call.area}.${call.name}`) ? "Too" : ""}`,
        tags: [call.area],
        description: `Right: ${call.right}`,
        parameters: [
          ...parts.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
          ...(inProject ? [{ name: "projectNumber", in: "query", required: true, schema: { type: "string" } }] : []),
        ],
        ...(call.method === "POST" ? { requestBody: { content: { [call.takes ?? "application/json"]: { schema: call.input } } } } : {}),
        responses: responses(call),
      },
    };
    names.add(`${call.area}.${call.name}`);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Milepost", version: "1" },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: {
        Answer: {
          type: "object",
          required: ["status"],
          properties: {
            status: { type: "integer" },
            code: { enum: Object.keys(errors) },
            msg: { type: "string" },
            data: {},
            problems: {
              type: "array",
              items: {
                type: "object",
                properties: { path: { type: "string" }, code: { type: "string" }, msg: { type: "string" }, params: { type: "object" } },
              },
            },
            requestId: { type: "string" },
          },
        },
      },
    },
    security: [{ token: [] }],
    paths,
  };
}

function responses(call: CallSheet): Record<string, unknown> {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Answer" } } };
  const byStatus = new Map<number, string[]>();
  for (const code of [...common, ...call.errors]) byStatus.set(errors[code], [...(byStatus.get(errors[code]) ?? []), code]);
  return {
    "200": { description: "Done", content: call.gives ? { [call.gives]: {} } : content },
    ...Object.fromEntries([...byStatus].map(([status, codes]) => [String(status), { description: codes.join(", "), content }])),
  };
}

/** The document of all calls and routes, for who is signed in. */
export const callDocument = route({
  address: "openapi.json",
  method: "GET",
  kind: "read",
  needs: "signedIn",
  input: z.object({}),
  run: openApi,
  gives: { type: "application/json", send: (document, { requestId }) => Response.json(document, { headers: { requestid: requestId } }) },
});
