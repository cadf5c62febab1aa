/**
 * Candidates that use an existing named constant in addition to, or instead of, the one the pattern was created with.
 */
import type { Change } from '../change'
import type { PatternSite } from '../pattern_site'
import { listField, nodeField, textField, type SyntaxFile, type SyntaxNode } from '../syntax'
import { constantSites } from './constant_sites'
import { wantedConstant } from './literals'
import { inserted, replaced, type Candidate, type MakeCandidates } from './types'

/** Maximum number of sites to try per constant. */
const MAX_SIBLINGS = 3

/**
 * Applies if a constant comes from a module-level `NAME = …` and another module-level name has the graph's constant: adds that name
 * to the list that contains `NAME`, or replaces `NAME` with it.
 */
export const siblingValue: MakeCandidates = ({ cause, site, pattern, graph }) => {
  const wanted = pattern && wantedConstant(cause, graph)
  if (!wanted) return []
  const { text, expected } = wanted
  const out: Candidate[] = []
  for (const { file, node } of constantSites(site, pattern, cause, expected)) {
    const own = assignmentAround(node)
    const value = own && nodeField(own, 'value')
    if (!own || !value) continue
    const name = targetOf(own)!
    const code = plain(file.text.slice(value.from, node.from) + text + file.text.slice(node.to, value.to))
    const other = file.nodes.find((n) => {
      const its = n !== own && isModuleName(n) ? nodeField(n, 'value') : null
      return its !== null && plain(file.source(its)) === code
    })
    if (other) out.push(...usesOf(site, name, targetOf(other)!, text))
  }
  return out.sort((a, b) => Number(b.adds ?? false) - Number(a.adds ?? false)).slice(0, MAX_SIBLINGS)
}

const plain = (code: string): string => code.replace(/\s+/g, '')

const targetOf = (assign: SyntaxNode): string | null => {
  const target = listField(assign, 'targets')[0]
  return target?.type === 'Name' ? textField(target, 'id') : null
}

const isModuleName = (n: SyntaxNode): boolean =>
  n.type === 'Assign' && n.parent?.type === 'Module' && listField(n, 'targets').length === 1 && targetOf(n) !== null

function assignmentAround(node: SyntaxNode): SyntaxNode | null {
  for (let n = node.parent; n; n = n.parent) if (isModuleName(n)) return n
  return null
}

function usesOf(site: PatternSite, name: string, other: string, value: string): Candidate[] {
  return site.files
    .flatMap((f) => site.file(f.name) ?? [])
    .flatMap((file) => {
      const known = bound(file, name, other)
      if (known === null) return []
      return file.of('Name').flatMap((node): Candidate[] => {
        if (textField(node, 'id') !== name || textField(node, 'ctx') !== 'Load') return []
        const parent = node.parent
        if (!parent) return []
        const at = site.at({ file, node })
        if (LISTS.has(parent.type) && isIterated(parent)) {
          if (listField(parent, 'elts').some((e) => textField(e, 'id') === other)) return []
          return [
            {
              title: `Add ${other}, which has ${value}, beside ${name} ${at}`,
              changes: [...known, inserted(file, node.from, `${other}, `)],
              adds: true,
            },
          ]
        }
        if (parent.type !== 'Call' && parent.type !== 'keyword') return []
        return [
          {
            title: `Use ${other}, which has ${value}, instead of ${name} ${at}`,
            changes: [...known, replaced({ file, node }, other)],
          },
        ]
      })
    })
}

const LISTS = new Set(['List', 'Tuple', 'Set'])
const isIterated = (n: SyntaxNode): boolean =>
  (n.parent?.type === 'For' || n.parent?.type === 'comprehension') && nodeField(n.parent, 'iter') === n

/** The edits that make a name available in a file: none, or an import; null if it cannot be made available. */
function bound(file: SyntaxFile, name: string, other: string): Change[] | null {
  if (file.of('Assign').some((n) => isModuleName(n) && targetOf(n) === other)) return []
  const aliases = file.of('ImportFrom').flatMap((n) => listField(n, 'names'))
  if (aliases.some((a) => textField(a, 'name') === other && textField(a, 'asname') === null)) return []
  const beside = aliases.find((a) => textField(a, 'name') === name)
  return beside && beside.to >= 0 ? [inserted(file, beside.to, `, ${other}`)] : null
}
