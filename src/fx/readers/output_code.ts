/**
 * Reads the graph in the comments of Inductor's output code: each kernel's `# Graph fragment:` lists its nodes as print(graph)
 * prints them, with a PlaceHolder for each buffer that it reads. The fragments together are the graph, without the calls that run
 * without a kernel.
 */
import type { TextRange } from './read_graph_text'

/** The fragments of a range as lines of print(graph), one for each line of the text. */
export function fragmentLines(text: string, range: TextRange): string {
  const bodies = text.slice(range.start, range.end).split('\n').map(nodeOf)
  const calls = new Set(bodies.flatMap((body) => (body === null || INPUT.test(body) ? [] : nameOf(body))))
  // A node that several kernels compute or read occurs in each of their fragments.
  const seen = new Map<string, string>()
  return bodies
    .map((body) => {
      if (body === null) return ''
      const [name] = nameOf(body)
      if (name === undefined) return body
      const input = INPUT.test(body)
      if (seen.get(name) === body || (input && (calls.has(name) || seen.has(name)))) return ''
      seen.set(name, body)
      return input ? body.replace(INPUT, ' [num_users=0] = placeholder[') : body
    })
    .join('\n')
}

const INPUT = /\s*= ?PlaceHolder\[/i
const nameOf = (body: string): string[] => /^%(\w+) :/.exec(body)?.slice(1) ?? []

/** The node in a line of a fragment; null for any other line. */
export function nodeOf(line: string): string | null {
  const body = /^\s*(?:#|\/\/)\s*(.*\S)/.exec(line)?.[1]
  return body?.startsWith('%') && body.includes('[target=') ? body : null
}
