/** The pages of the documentation, in the groups and the order in which its navigation lists them. */

export interface PageGroup {
  title: string
  /** Paths below docs/, without extension. */
  pages: readonly string[]
}

/** The page below whose text lessons and articles are listed, from public/lessons/index.json. */
export const LEARN = 'learn'

export const GROUPS: readonly PageGroup[] = [
  { title: 'Tutorial', pages: ['start', LEARN] },
  {
    title: 'How to',
    pages: [
      'dumps',
      'shapes',
      'capture',
      'python',
      'live',
      'notebooks',
      'clusters',
      'environment',
      'versions',
      'vllm',
      'selection',
      'teaching',
      'compare',
      'tests',
      'ci',
      'kernels',
      'workspaces',
      'hosting',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'causes',
      'expressions',
      'cli',
      'find',
      'outline',
      'editor',
      'pipeline',
      'matchers',
      'operators',
      'api',
      'links',
      'limits',
      'browsers',
      'peers',
      'security',
      'design',
    ],
  },
]

/** Pages of docs/systems: the systems first, each followed by its examples. */
export const SYSTEM_GROUP = 'Systems'

/** Groups with the pages that exist. Pages of docs/systems are sorted by name; pages that no group names are in "More". */
export function groupsOf(pages: readonly string[]): PageGroup[] {
  const systems = pages.filter((p) => p.startsWith('systems/')).sort()
  const named = new Set([...GROUPS.flatMap((g) => g.pages), ...systems])
  const more = pages.filter((p) => !named.has(p))
  return [
    ...GROUPS.map(({ title, pages: all }) => ({ title, pages: all.filter((p) => pages.includes(p)) })),
    { title: SYSTEM_GROUP, pages: systems },
    ...(more.length > 0 ? [{ title: 'More', pages: more }] : []),
  ]
}
