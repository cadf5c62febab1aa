/**
 * The graph in the comments of Inductor's output code: each kernel's `# Graph fragment:` has its nodes as print(graph)
 * prints them, with a PlaceHolder for each buffer it reads. Together they are the graph, less what runs without a kernel.
 */
import type { TextRange } from './read_graph_text'

/** The fragments of a range as lines of print(graph), one for each line of the text. */
export function fragmentLines(text: string, range: TextRange): string {
  const lines = text.slice(range.start, range.end).split('\n')
  const calls = new Set<string>()
  const inFragment: boolean[] = []
  let open = false
  for (const line of lines) {
    const body = commentOf(line)
    if (body === null) open = false
    else if (/^Graph fragment:/.test(body)) open = true
    else if (open && body !== '' && !/^(?:%|return\b)/.test(body)) open = false
    inFragment.push(open && body !== null && body.startsWith('%'))
    const name = /^%(\w+) :/.exec(body ?? '')?.[1]
    if (open && name && !/= ?PlaceHolder\[/i.test(body!)) calls.add(name)
  }
  const seen = new Set<string>()
  return lines
    .map((line, i) => {
      if (!inFragment[i]) return ''
      const body = commentOf(line)!
      const name = /^%(\w+) :/.exec(body)?.[1]
      if (name === undefined) return body
      const input = /= ?PlaceHolder\[/i.test(body)
      if (seen.has(name) || (input && calls.has(name))) return ''
      seen.add(name)
      return input ? body.replace(/\s*= ?PlaceHolder\[/i, ' [num_users=0] = placeholder[') : body
    })
    .join('\n')
}

const commentOf = (line: string): string | null => /^\s*(?:#|\/\/)\s*(.*?)\s*$/.exec(line)?.[1] ?? null
