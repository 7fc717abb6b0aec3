import type { Command } from "#components/ui/commands.ts";

/** The buttons and links at the right of the page bar as verbs: what a screen that names no verbs of its own can do now. */
export function readPageActions(page: ParentNode): Command[] {
  const found = [...page.querySelectorAll<HTMLElement>("[data-page-actions] :is(button, a[href])")];
  const labels = new Set<string>();
  return found.flatMap((element) => {
    const label = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim();
    const off = element.matches(":disabled, [aria-disabled=true], [data-disabled]");
    if (!label || off || labels.has(label)) return [];
    labels.add(label);
    return [{ key: `page-${labels.size}`, label, run: () => element.click() }];
  });
}
