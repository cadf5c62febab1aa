/** Files that the site serves beside the app: examples, bases of links. */

/** The address of this page without query and fragment. */
export const pageAddress = (): string => new URL(location.pathname, location.href).href

/** @param path relative to the page's base, `examples/index.json` */
export const siteFile = (path: string): Promise<Response> => fetch(new URL(path, document.baseURI))

/** @throws Error if the file is absent or not JSON */
export async function siteJson<T>(path: string): Promise<T> {
  const response = await siteFile(path)
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return (await response.json()) as T
}
