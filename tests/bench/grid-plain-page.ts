import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sql } from "#db/client.ts";

/** Columns of the plain page: 5 of the DU, 3 dates of 53 activities, 36 attributes. */
export const plainColumns = 200;
const slots = 53;
const attributes = plainColumns - 5 - 3 * slots;

/** The page: a fixed set of cell elements that are moved and filled anew as they come into sight, and nothing else. Runs in the browser. */
function plainPage(rows: number, columns: number): void {
  const rowHeight = 28;
  const columnWidth = 100;
  const scroller = document.getElementById("scroller") as HTMLElement;
  const content = document.getElementById("content") as HTMLElement;
  content.style.height = `${rows * rowHeight}px`;
  content.style.width = `${columns * columnWidth}px`;
  const data: (string | number | null)[][] = [];
  const texts = new Map<number, string>();
  const day = (value: number) => {
    let text = texts.get(value);
    if (text === undefined) {
      text = value > 0 ? new Date(Date.UTC(2000, 0, 1) + value * 86_400_000).toISOString().slice(0, 10) : "";
      texts.set(value, text);
    }
    return text;
  };
  const text = (row: number, column: number) => {
    const value = data[row]?.[column] ?? null;
    return value === null ? "" : column >= 5 && column < columns - 36 ? day(value as number) : String(value);
  };
  const high = Math.ceil(innerHeight / rowHeight) + 36;
  const wide = Math.ceil(innerWidth / columnWidth) + 10;
  const pool = Array.from({ length: high }, () => {
    const line = document.createElement("div");
    line.className = "row";
    line.setAttribute("role", "row");
    const cells = Array.from({ length: wide }, () => {
      const cell = document.createElement("div");
      cell.className = "cell";
      cell.append(document.createTextNode(""));
      line.append(cell);
      return { cell, at: -1 };
    });
    content.append(line);
    return { line, cells, row: -1, left: -1 };
  });
  const draw = () => {
    const top = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - 18);
    const left = Math.max(0, Math.floor(scroller.scrollLeft / columnWidth) - 5);
    for (let row = top; row < top + high && row < rows; row++) {
      const place = pool[row % high] as (typeof pool)[number];
      const moved = place.row !== row;
      if (!moved && place.left === left) continue;
      if (moved) {
        place.line.style.transform = `translateY(${row * rowHeight}px)`;
        place.line.setAttribute("aria-rowindex", String(row + 1));
      }
      for (let column = left; column < left + wide && column < columns; column++) {
        const one = place.cells[column % wide] as (typeof place.cells)[number];
        if (!moved && one.at === column) continue;
        if (one.at !== column) one.cell.style.left = `${column * columnWidth}px`;
        one.at = column;
        (one.cell.firstChild as Text).data = text(row, column);
      }
      place.row = row;
      place.left = left;
    }
  };
  scroller.addEventListener("scroll", draw, { passive: true });
  const load = async (from: number, count: number) => {
    const list = (await (await fetch(`/rows?from=${from}&count=${count}`)).json()) as (string | number | null)[][];
    list.forEach((row, at) => {
      data[from + at] = row;
    });
  };
  void load(0, 200).then(async () => {
    draw();
    // Everything else afterwards, so that scrolling measures the drawing alone.
    for (let from = 200; from < rows; from += 1_000) await load(from, Math.min(1_000, rows - from));
    document.body.dataset.loaded = "all";
  });
}

const style = `html,body{margin:0;height:100%;background:#0b0c0e;color:#e7e9ec;font:12px/18px system-ui,sans-serif}
#scroller{height:100%;overflow:auto}#content{position:relative}.row{position:absolute;height:28px;width:100%;will-change:auto}
.cell{position:absolute;width:100px;height:28px;padding:5px 8px;box-sizing:border-box;overflow:hidden;white-space:nowrap;border-right:1px solid #1d2126;border-bottom:1px solid #1d2126}`;

/** Serves the least a grid of the same data can be: one page, its rows straight from their statement, recycled elements. */
export async function startPlainPage(sql: Sql, projectId: number): Promise<{ address: string; close: () => void }> {
  const [counted] = await sql<{ count: number }[]>`select count(*)::int as count from du where project_id = ${projectId}`;
  const html = `<!doctype html><title>plain</title><style>${style}</style><div id="scroller" tabindex="0"><div id="content"></div></div>
<script>(${plainPage.toString()})(${counted!.count}, ${plainColumns})</script>`;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://plain");
    if (url.pathname !== "/rows") {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(html);
      return;
    }
    const rows = await sql<{ cells: (string | number | null)[]; dates: (number[] | null)[]; ext: Record<string, unknown> }[]>`
      select array[d.code, d.name, d.region_id::text, d.subcontractor_id::text, p.release_state::text] as cells,
        json_build_array(p.plan_start, p.plan_end, p.actual_end) as dates, d.ext
      from du d join du_plan p on p.du_id = d.id where d.project_id = ${projectId} order by d.code, d.id
      offset ${Number(url.searchParams.get("from"))} limit ${Number(url.searchParams.get("count"))}`;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        rows.map(({ cells, dates, ext }) => [
          ...cells,
          ...dates.flatMap((kind) => Array.from({ length: slots }, (_, slot) => kind?.[slot * 2] ?? 0)),
          ...Array.from({ length: attributes }, (_, at) => ext[`a${at + 1}`] ?? null),
        ]),
      ),
    );
  });
  await new Promise<void>((done) => server.listen(0, "localhost", done));
  return { address: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
