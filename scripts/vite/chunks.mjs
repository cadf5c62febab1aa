// @ts-check
/**
 * Puts what a page needs for its first screen into few files: the bundler's own chunks, one for each set of entries that share a
 * module, are 27. Each chunk here holds the modules that two entries share, with all that they import, so that chunks never
 * import each other in a cycle; a page loads at most the code that another page beside it needs too.
 */
import { root } from '../lib.mjs'

/** The chunks in order: a module is in the first whose entries all reach it. @type {readonly [string, readonly string[]][]} */
const CHUNKS = [
  // The engine's start runs before the app's code has arrived.
  ['start', ['src/app/early_engine.ts']],
  ['base', ['src/app/docs/main.tsx', 'src/app/main.tsx']],
  ['view', ['src/app/embed/main.tsx', 'src/app/main.tsx']],
]

/** @returns {import('rolldown').CodeSplittingOptions} */
export function firstScreenChunks() {
  /** @type {Map<string, Set<string>>} */
  const reached = new Map()
  return {
    groups: [
      {
        debugName: 'first screen',
        name(id, context) {
          const holds = (/** @type {string} */ entry) => {
            let ids = reached.get(entry)
            if (!ids) reached.set(entry, (ids = closure(`${root}${entry}`, (m) => context.getModuleInfo(m))))
            return ids.has(id)
          }
          return CHUNKS.find(([, entries]) => entries.every(holds))?.[0] ?? null
        },
      },
    ],
  }
}

/**
 * @param {string} entry @param {(id: string) => { importedIds: string[] } | null} infoOf
 * @returns {Set<string>} the modules that it imports statically, directly and through others, with itself
 */
function closure(entry, infoOf) {
  const ids = new Set([entry])
  for (const id of ids) for (const imported of infoOf(id)?.importedIds ?? []) ids.add(imported)
  return ids
}
