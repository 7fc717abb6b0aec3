/** Puts a text onto the clipboard; false where the browser does not let it. */
export async function copyText(text: string): Promise<boolean> {
  // Pages on plain HTTP are not given the clipboard; the command is left to them.
  if (!navigator.clipboard) return copyByCommand(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copyByCommand(text),
  );
}

/** Copies by the command of the browser. It works only where something is selected, so something is, for the moment; the focus stays where it is. */
function copyByCommand(text: string): boolean {
  const selection = document.getSelection();
  if (!selection) return false;
  const before = Array.from({ length: selection.rangeCount }, (_, at) => selection.getRangeAt(at));
  const place = document.body.appendChild(document.createElement("span"));
  place.textContent = ".";
  place.style.position = "fixed";
  place.style.opacity = "0";
  let isGiven = false;
  const give = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData("text/plain", text);
    isGiven = event.clipboardData !== null;
  };
  selection.selectAllChildren(place);
  document.addEventListener("copy", give, { capture: true });
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", give, { capture: true });
  selection.removeAllRanges();
  for (const range of before) selection.addRange(range);
  place.remove();
  return isDone && isGiven;
}
