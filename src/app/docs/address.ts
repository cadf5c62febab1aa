/** Addresses of the documentation: `docs.html#PAGE` and `docs.html#PAGE:ANCHOR`; and targets of links in its pages. */

export interface DocsPlace {
  page: string
  /** Empty: the top of the page. */
  anchor: string
}

export const HOME: DocsPlace = { page: 'start', anchor: '' }

/** @param hash with or without `#` */
export function placeOf(hash: string): DocsPlace {
  const [, page, anchor] = /^#?([\w/-]+)(?::([\p{L}\p{N}_-]+))?$/u.exec(decoded(hash)) ?? []
  return page ? { page, anchor: anchor ?? '' } : HOME
}

function decoded(hash: string): string {
  try {
    return decodeURIComponent(hash)
  } catch {
    return ''
  }
}

export const hashOf = ({ page, anchor }: DocsPlace): string => `#${page}${anchor ? `:${anchor}` : ''}`

export type LinkTarget =
  | { kind: 'page'; place: DocsPlace }
  /** Another page of the app, relative to docs.html. */
  | { kind: 'app'; href: string }
  | { kind: 'web'; href: string }
  /** A file of the repository, which the site does not have. */
  | { kind: 'file'; path: string }

/** The target of a link as a page writes it: relative to its file below docs/. @param from the page with the link */
export function targetOf(from: string, to: string): LinkTarget {
  if (/^https?:\/\//.test(to)) return { kind: 'web', href: to }
  const [path = '', anchor = ''] = to.split('#', 2)
  const file = path === '' ? `docs/${from}.md` : resolved(`docs/${from}`, path)
  const [, page] = /^docs\/([\w/-]+)\.md$/.exec(file) ?? []
  if (page) return { kind: 'page', place: { page, anchor } }
  const [, example] = /^public\/examples\/([\w-]+)\/?$/.exec(file) ?? []
  if (example) return { kind: 'app', href: `./?example=${example}` }
  return { kind: 'file', path: file }
}

/** Resolves a relative path against a file's folder. */
function resolved(from: string, path: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
