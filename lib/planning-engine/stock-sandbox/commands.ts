import "server-only";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { stockPageRows } from "../stock-source/limits.ts";
import { StockRequest, type StockRow } from "../stock-source/schema.ts";

/** What the sandbox does instead of answering: what real systems do. */
export type StockFault = "timeout" | "http500" | "busy" | "malformed" | "reject" | "drop";

/** A counterpart that behaves like a warehouse system: over HTTP on this machine alone, with the same messages, page by page. */
export type StockSandbox = { base: string; faults: StockFault[]; asked: number; close: () => Promise<void> };

const catalogue = ["ANT", "RRU", "BBU", "CABLE", "POWER"];

/** Starts a sandbox. @param faults what happens to the next requests, in order; afterwards they are answered */
export async function startStockSandbox({
  faults = [],
  pageRows = stockPageRows,
}: {
  faults?: StockFault[];
  pageRows?: number;
} = {}): Promise<StockSandbox> {
  const server = createServer((request, response) => {
    answer(sandbox, request, response, pageRows).catch(() => response.destroy());
  });
  await new Promise<void>((ready, failed) => server.once("error", failed).listen(0, "127.0.0.1", ready));
  const sandbox: StockSandbox = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: [...faults],
    asked: 0,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  // It ends with the process that uses it.
  server.unref();
  return sandbox;
}

async function answer(sandbox: StockSandbox, request: IncomingMessage, response: ServerResponse, pageRows: number): Promise<void> {
  const send = (status: number, body: string, headers: Record<string, string> = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body);
  };
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  sandbox.asked++;
  if (request.method !== "POST" || request.url !== "/v1/inventory/stock") return send(404, "{}");
  switch (sandbox.faults.shift()) {
    case "timeout":
      return;
    case "drop":
      response.destroy();
      return;
    case "http500":
      return send(500, "oops");
    case "busy":
      return send(429, "{}", { "retry-after": "1" });
    case "malformed":
      return send(200, '{"rows":[{"itemCode":1}],');
    case "reject":
      return send(422, JSON.stringify({ code: "PROJECT_UNKNOWN", msg: "the project is not known here" }));
  }
  const given = StockRequest.safeParse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  if (!given.success) return send(400, JSON.stringify({ code: "REQUEST", msg: "the request is not understood" }));
  const { sources, items, cursor } = given.data;
  const wanted = items.length > 0 ? items : catalogue;
  const all = sources.length * wanted.length;
  const from = Number(cursor ?? 0);
  const rows: StockRow[] = [];
  for (let at = from; at < Math.min(all, from + pageRows); at++) {
    const { system, code } = sources[Math.floor(at / wanted.length)]!;
    const itemCode = wanted[at % wanted.length]!;
    rows.push({ system, code, itemCode, inventoryQty: stockOf(`${system} ${code} ${itemCode}`), planQty: null, planInboundDate: null });
  }
  return send(200, JSON.stringify({ rows, cursor: from + pageRows < all ? String(from + pageRows) : null }));
}

/** A stock that is always the same for the same text: 0 to 49 pieces. */
function stockOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  return hash % 50;
}
