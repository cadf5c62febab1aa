/** Writes what Inductor's decomposition makes of an operator in place of the CallFunction of the operator. */
import type { Node } from '../../../fx'
import type { Change } from '../change'
import { replaced, type Candidate } from '../candidates/types'
import { paramNames, type SyntaxNode } from '../syntax'
import { importedToo, patternCode, source, writtenCalls, type WrittenSite } from './written_calls'

export function decomposedCall({ cause: { reason }, site, graph, call }: WrittenSite): Candidate[] {
  if (reason.kind !== 'decomposed-in-graph' || !reason.inductor || !graph) return []
  const { at, args } = call
  const inside = new Set(reason.nodes)
  const written = new Map(reason.inductor.flatMap((name, i) => (name !== null && args[i] ? [[name, args[i]]] : [])))
  const uses = new Map<string, number>()
  const texts = new Map<string, string>()
  /** The code of the pattern of a node: repeated where the graph shares the node, which matches the same. */
  const code = (node: Node): string | null => {
    const given = written.get(node.name)
    if (given) {
      uses.set(node.name, (uses.get(node.name) ?? 0) + 1)
      return texts.get(node.name) ?? source(call, given)
    }
    if (!inside.has(node.name)) return null
    return patternCode(
      { call, site },
      node,
      code,
      node === graph || node.users.size === 1 ? [] : [`_users=${node.users.size}`],
    )
  }
  let text = code(graph)
  const also: Change[] = []
  for (const [name, times] of uses) {
    const named = times > 1 ? asKeyword({ site, call }, written.get(name)!) : undefined
    if (named === null) return []
    if (named === undefined) continue
    texts.set(name, named.text)
    also.push(...named.also)
  }
  if (texts.size > 0) text = code(graph)
  if (text === null) return []
  const title = `Match what Inductor decomposes ${reason.operator} into ${site.at(at)}`
  return [{ title, changes: [replaced(at, text), ...also] }]
}

/**
 * Arg() would pass an argument that the pattern has more than once to the handler each time.
 * @returns undefined for another argument; null if it can have no name
 */
function asKeyword(
  { site, call }: Pick<WrittenSite, 'site' | 'call'>,
  written: SyntaxNode,
): { text: string; also: Change[] } | null | undefined {
  const text = source(call, written)
  if (!/^(\w+\.)*Arg\(\)$/.test(text)) return undefined
  const positional = writtenCalls(site).flatMap((c) => c.args.filter((a) => /^(\w+\.)*Arg\(\)$/.test(source(c, a))))
  // The arguments after it would move.
  const name = site.handler && paramNames(site.handler.node)[positional.length]
  if (positional.at(-1) !== written || !name) return null
  const keyword = text.replace(/Arg\(\)$/, 'KeywordArg')
  const also = keyword === 'KeywordArg' ? importedToo(call.at.file, keyword) : []
  return also && { text: `${keyword}(${JSON.stringify(name)})`, also }
}
