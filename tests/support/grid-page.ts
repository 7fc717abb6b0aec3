import type { Locator, Page } from "playwright";

/** Rows of the head, which `aria-rowindex` counts too. */
const headRows = 2;

/** The grid on a page, as a person finds their way in it: by rows from 0 and by the names of columns. */
export class GridPage {
  readonly page: Page;
  private readonly places = new Map<string, number>();

  constructor(page: Page) {
    this.page = page;
  }

  /** Waits until the first row of data is there and can be used: rows that come with the page cannot, until its program is here. */
  async ready(): Promise<void> {
    await this.page.locator('[role=gridcell][aria-colindex="2"]:not([aria-label])').first().waitFor();
    await this.page.locator("[role=grid] [inert]").waitFor({ state: "detached" });
  }

  /** Place of a column under a group; of a column that stands alone with one name only. */
  async column(name: string, group?: string): Promise<number> {
    const key = `${group ?? ""}|${name}`;
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const found = await this.page.evaluate(
      ([wanted, under]) => {
        const heads = [...document.querySelectorAll<HTMLElement>("[role=columnheader]")];
        const of = (element: Element) => Number(element.getAttribute("aria-colindex"));
        const text = (element: HTMLElement) => element.innerText.trim();
        const rowOf = (element: Element) => element.closest("[role=row]")?.getAttribute("aria-rowindex");
        const above = under ? heads.find((head) => rowOf(head) === "1" && text(head).startsWith(under)) : undefined;
        if (under && !above) return null;
        const from = above ? of(above) : 1;
        const span = above ? Number(above.getAttribute("aria-colspan") ?? 1) : Number.MAX_SAFE_INTEGER;
        const head = heads.find((given) => rowOf(given) === "2" && of(given) >= from && of(given) < from + span && text(given) === wanted);
        return head ? of(head) : null;
      },
      [name, group] as const,
    );
    if (found === null) throw new Error(`no column ${name}${group ? ` under ${group}` : ""} on screen`);
    this.places.set(key, found);
    return found;
  }

  /** Forgets where columns stand: after folding, hiding or moving some. */
  moved(): void {
    this.places.clear();
  }

  /** The cell of a row, counted from 0. */
  async cell(row: number, name: string, group?: string): Promise<Locator> {
    const column = await this.column(name, group);
    return this.page.locator(`[role=row][aria-rowindex="${row + headRows + 1}"] [role=gridcell][aria-colindex="${column}"]`);
  }

  async text(row: number, name: string, group?: string): Promise<string> {
    return (await (await this.cell(row, name, group)).innerText()).trim();
  }

  /** Types over a cell and leaves it with Enter. */
  async type(row: number, name: string, group: string | undefined, value: string): Promise<void> {
    await (await this.cell(row, name, group)).click();
    await this.page.keyboard.type(value);
    await this.page.keyboard.press("Enter");
  }

  /** Selects from one cell to another, as with the mouse and Shift. */
  async select(from: Locator, to: Locator): Promise<void> {
    await from.click();
    await to.click({ modifiers: ["Shift"] });
  }

  /** Pastes a text at the selection. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((given) => navigator.clipboard.writeText(given), text);
    await this.page.keyboard.press("Control+v");
  }

  /** The cell the keyboard is on, as a screen reader is told. */
  async active(): Promise<{ row: number; column: number; text: string }> {
    return this.page.evaluate((head) => {
      const id = document.activeElement?.getAttribute("aria-activedescendant");
      const cell = id ? document.getElementById(id) : null;
      return {
        row: Number(cell?.closest("[role=row]")?.getAttribute("aria-rowindex")) - head - 1,
        column: Number(cell?.getAttribute("aria-colindex")),
        text: cell?.textContent ?? "",
      };
    }, headRows);
  }

  /** Cells that hold an unsaved edit, as the status bar counts them. */
  async unsaved(): Promise<number> {
    const found = this.page.getByText(/^\d+ unsaved$/);
    return (await found.count()) === 0 ? 0 : Number.parseInt(await found.first().innerText(), 10);
  }
}
