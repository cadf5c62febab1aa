// @ts-check
/** Finds import cycles between files. An import of a type counts too: it couples the two files. */

/** @typedef {import('./sources.mjs').Source} Source */

/**
 * The groups of files that import each other (strongly connected components; Tarjan 1972).
 * @param {readonly Source[]} sources
 * @returns {string[][]} each group sorted
 */
export function cyclesOf(sources) {
  const edges = new Map(sources.map((s) => [s.file, s.imports.flatMap((i) => (i.target === null ? [] : [i.target]))]))
  /** @type {Map<string, number>} */
  const index = new Map()
  /** @type {string[]} */
  const stack = []
  /** @type {Set<string>} */
  const onStack = new Set()
  /** @type {string[][]} */
  const groups = []
  /** @param {string} file @returns {number} the lowest index it reaches */
  const visit = (file) => {
    const own = index.size
    let lowest = own
    index.set(file, own)
    stack.push(file)
    onStack.add(file)
    for (const next of edges.get(file) ?? []) {
      if (!index.has(next)) lowest = Math.min(lowest, visit(next))
      else if (onStack.has(next)) lowest = Math.min(lowest, /** @type {number} */ (index.get(next)))
    }
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(file))
      for (const member of group) onStack.delete(member)
      if (group.length > 1 || edges.get(file)?.includes(file)) groups.push(group.sort())
    }
    return lowest
  }
  for (const { file } of sources) if (!index.has(file)) visit(file)
  return groups
}

/**
 * The shortest cycle through the first file of a group, as a path that ends where it starts.
 * @param {readonly string[]} group
 * @param {readonly Source[]} sources
 * @returns {string[]}
 */
export function shortestCycle(group, sources) {
  const [start = ''] = group
  const inGroup = new Set(group)
  const byFile = new Map(sources.map((s) => [s.file, s]))
  /** @type {string[][]} */
  let paths = [[start]]
  const seen = new Set()
  while (paths.length > 0) {
    /** @type {string[][]} */
    const longer = []
    for (const path of paths)
      for (const { target } of byFile.get(path[path.length - 1] ?? '')?.imports ?? []) {
        if (target === null || !inGroup.has(target)) continue
        if (target === start) return [...path, start]
        if (seen.has(target)) continue
        seen.add(target)
        longer.push([...path, target])
      }
    paths = longer
  }
  return [...group]
}
