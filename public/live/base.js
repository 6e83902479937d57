// @ts-check
// Where the dashboard is served from: one folder above this file, whatever the page's own address or base path.

export const base = new URL("../", import.meta.url);

/** @param {string} path relative to the dashboard's root */
export const at = (path) => new URL(path, base).href;

/**
 * What this page keeps in the browser goes by this name: another server may stand under another path of the same host.
 * @param {string} name as `draft`
 */
export const kept = (name) => `parley:${base.pathname === "/" ? "" : `${base.pathname}:`}${name}`;

/** The gate that this page alone shows (`gate/ID`), or null. */
export function gateOfPage() {
  const path = location.pathname.slice(base.pathname.length);
  const found = /^gate\/([^/]+)$/.exec(path);
  return found?.[1] ? decodeURIComponent(found[1]) : null;
}
