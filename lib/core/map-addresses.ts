/**
 * What a setting of the map says: the address of its style, and every origin the browser may read it from. Several addresses stand between blanks: the style
 * first, then where it gets tiles, fonts and pictures.
 * @returns null when one of them is no address of the web
 */
export function mapAddresses(setting: string): { style: string; origins: string[] } | null {
  const [style, ...others] = setting.trim().split(/\s+/);
  const all = [style ?? "", ...others];
  // What could end a rule of the content security policy is no part of an origin.
  const origins = all.flatMap((text) => (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? [new URL(text).origin] : []));
  return origins.length === all.length ? { style: style as string, origins: [...new Set(origins)] } : null;
}
