import type { Locator, Page } from "playwright";
import { expect } from "vitest";

/** Stops of the Tab key before a control counts as out of reach. */
const stopsMax = 150;

/** A person who has no mouse: goes from control to control by Tab. */
export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Presses Tab until the control has the focus; fails when it is not reached. */
  async reach(control: Locator): Promise<void> {
    await control.first().waitFor();
    const stops: string[] = [];
    for (let stop = 0; stop < stopsMax; stop++) {
      if (await control.evaluateAll((found) => found.includes(document.activeElement as HTMLElement))) return;
      stops.push(
        await this.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? ""),
      );
      await this.page.keyboard.press("Tab");
    }
    throw new Error(`${control} is not reached by Tab, only ${stops.map((text) => text.slice(0, 30)).join(", ")}`);
  }

  /** Reaches a control and presses a key on it: Enter unless told otherwise. */
  async use(control: Locator, key = "Enter"): Promise<void> {
    await this.reach(control);
    await this.page.keyboard.press(key);
  }

  /** Chooses an option of a list: opens it, goes to the option and takes it, looking after every key at what is there. */
  async choose(list: Locator, name: string): Promise<void> {
    await this.reach(list);
    const option = this.page.getByRole("option", { name });
    await expect
      .poll(
        async () => {
          const chosen = await list.inputValue();
          if (chosen === name) return chosen;
          const isAt = (await option.count()) > 0 && (await option.getAttribute("data-combobox-selected")) !== null;
          const isOpen = (await list.getAttribute("aria-expanded")) === "true";
          await this.page.keyboard.press(isOpen && isAt ? "Enter" : "ArrowDown");
          return chosen;
        },
        { timeout: 20_000, interval: 200 },
      )
      .toBe(name);
  }

  /** Opens a screen, or runs a command, by the jump box. */
  async jump(name: string): Promise<void> {
    await this.page.keyboard.press("Control+k");
    const box = this.page.getByRole("dialog").getByRole("combobox");
    await box.waitFor();
    await this.page.keyboard.type(name);
    await this.page.locator('[role=option][aria-selected="true"]', { hasText: name }).waitFor();
    await this.page.keyboard.press("Enter");
    await box.waitFor({ state: "detached" });
  }
}
