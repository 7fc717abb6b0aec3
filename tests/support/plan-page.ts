import type { Locator, Page } from "playwright";
import { expect } from "vitest";

/** Calls the door as the person of the page. */
export async function callFromPage<T>(page: Page, address: string, input: unknown): Promise<T> {
  const answer = await page.evaluate(
    async ([path, body]) => {
      const response = await fetch(`/api/${path}?projectNumber=${location.pathname.split("/")[1]}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return response.json();
    },
    [address, input] as const,
  );
  expect(answer, address).toMatchObject({ status: 200 });
  return answer.data as T;
}

/** A cell of the grid by the row it stands in (from 1) and the name of its column under an activity's group. */
export async function cellOf(page: Page, row: number, group: string, column: string): Promise<Locator> {
  const heads = page.getByRole("columnheader");
  const at = await heads.filter({ hasText: group }).first().getAttribute("aria-colindex");
  const span = Number((await heads.filter({ hasText: group }).first().getAttribute("aria-colspan")) ?? 1);
  for (let index = Number(at); index < Number(at) + span; index++) {
    const head = page.locator(`[role=columnheader][aria-colindex="${index}"]`).last();
    if ((await head.innerText()).trim() === column)
      return page.locator(`[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${index}"]`);
  }
  throw new Error(`no column ${column} under ${group}`);
}
