/** Damages texts as people and programs do: cuts, moves, changed characters and line ends, quotes, two texts in one. */
import type { Random } from './random'

/** @param other another text of the corpus */
type Mutation = (text: string, random: Random, other: string) => string

/** Changes the lines of a text. */
const lines =
  (change: (lines: string[], random: Random) => readonly string[]): Mutation =>
  (text, random) =>
    change(text.split('\n'), random).join('\n')

/** Changes each line. */
const each = (change: (line: string, at: number) => string): Mutation => lines((all) => all.map(change))

/** Lines that a test accepts, by index. */
const indices = (all: readonly string[], test: RegExp): number[] => all.flatMap((l, i) => (test.test(l) ? [i] : []))

/** Removes one character of a kind. */
const without =
  (kind: RegExp): Mutation =>
  (text, random) => {
    const found = [...text.matchAll(kind)]
    if (found.length === 0) return text
    const { index } = random.of(found)
    return text.slice(0, index) + text.slice(index + 1)
  }

/** Changes one of the lines that a test accepts. */
const oneOf = (test: RegExp, change: (all: string[], at: number, random: Random) => readonly string[]): Mutation =>
  lines((all, random) => {
    const found = indices(all, test)
    return found.length === 0 ? all : change(all, random.of(found), random)
  })

const HEADER = /^\s*(?:graph\(|class |def |opcode|digraph)/
const RETURN = /^\s*return\b/
const NOISE = [
  'INFO 05-01 12:00:00 [backends.py:80] cache hit',
  '...',
  'Here is the rest:',
  '        ',
  '    def forward(self, x):',
  '        """',
  '        # nothing',
  'graph():',
  'class <lambda>(torch.nn.Module):',
  '```',
  '        return (x,)',
  '%a : [num_users=1] = placeholder[target=a]',
  '        relu: "f32[4]" = torch.ops.aten.relu.default(x);  x = None',
]
const SPECIAL = '%[]{}()":=,\n\r\t\\#\'|; >`.0x_\u00a0\u2028\u0000\uFEFF\u201c'

/** By name, for the report. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'the end cut': (t, r) => t.slice(0, 1 + r.below(t.length)),
  'the begin cut': (t, r) => t.slice(r.below(t.length)),
  'the middle cut': (t, r) => {
    const at = r.below(t.length)
    return t.slice(0, at) + t.slice(at + r.below(Math.min(400, t.length - at)))
  },
  'a line deleted': lines((all, r) => all.toSpliced(r.below(all.length), 1)),
  'lines deleted': lines((all, r) => all.toSpliced(r.below(all.length), 1 + r.below(8))),
  'a line duplicated': lines((all, r) => {
    const at = r.below(all.length)
    return all.toSpliced(at, 0, all[at]!)
  }),
  'lines duplicated': lines((all, r) => {
    const at = r.below(all.length)
    return all.toSpliced(r.below(all.length), 0, ...all.slice(at, at + 1 + r.below(12)))
  }),
  'a line moved': lines((all, r) => {
    const [line] = all.splice(r.below(all.length), 1)
    return all.toSpliced(r.below(all.length + 1), 0, line!)
  }),
  'lines moved': lines((all, r) => {
    const moved = all.splice(r.below(all.length), 1 + r.below(10))
    return all.toSpliced(r.below(all.length + 1), 0, ...moved)
  }),
  'two lines swapped': lines((all, r) => {
    const [i, j] = [r.below(all.length), r.below(all.length)]
    return all.with(i, all[j]!).with(j, all[i]!)
  }),
  'two lines joined': lines((all, r) => {
    const at = r.below(all.length)
    return all.toSpliced(at, 2, `${all[at]}${all[at + 1] ?? ''}`)
  }),
  'a line broken': (t, r) => {
    const at = r.below(t.length)
    return `${t.slice(0, at)}\n${t.slice(at)}`
  },
  'noise inserted': lines((all, r) => all.toSpliced(r.below(all.length + 1), 0, r.of(NOISE))),
  'two characters swapped': (t, r) => {
    const at = r.below(Math.max(1, t.length - 1))
    return t.slice(0, at) + (t[at + 1] ?? '') + t.slice(at, at + 1) + t.slice(at + 2)
  },
  'a character changed': (t, r) => {
    const at = r.below(t.length)
    return t.slice(0, at) + SPECIAL.charAt(r.below(SPECIAL.length)) + t.slice(at + r.below(3))
  },
  'a bracket deleted': without(/[()[\]{}]/g),
  'a quote deleted': without(/["']/g),
  'a colon, comma or equal sign deleted': without(/[:,=;]/g),
  'a header deleted': oneOf(HEADER, (all, at) => all.toSpliced(at, 1)),
  'a header duplicated': oneOf(HEADER, (all, at, r) => all.toSpliced(r.below(all.length), 0, all[at]!)),
  'a header indented or dedented': oneOf(HEADER, (all, at, r) =>
    all.with(at, r.below(2) === 0 ? all[at]!.trimStart() : `    ${all[at]!}`),
  ),
  'a return deleted': oneOf(RETURN, (all, at) => all.toSpliced(at, 1)),
  'a return moved': oneOf(RETURN, (all, at, r) => {
    const [line] = all.splice(at, 1)
    return all.toSpliced(r.below(all.length + 1), 0, line!)
  }),
  'a return duplicated': oneOf(RETURN, (all, at, r) => all.toSpliced(r.below(all.length + 1), 0, all[at]!)),
  'a class duplicated': oneOf(/^\s*class /, (all, at) => {
    const indent = /^\s*/.exec(all[at]!)![0].length
    const size = all.slice(at + 1).findIndex((l) => l.trim() !== '' && /^\s*/.exec(l)![0].length <= indent)
    const block = all.slice(at, size < 0 ? all.length : at + 1 + size)
    return all.toSpliced(at, 0, ...block)
  }),
  CRLF: (t) => t.replace(/\r?\n/g, '\r\n'),
  'CR only': (t) => t.replace(/\r?\n/g, '\r'),
  'mixed line ends': (t, r) => t.replace(/\r?\n/g, () => r.of(['\n', '\r\n', '\r'])),
  'double line ends': (t) => t.replace(/\r?\n/g, '\n\n'),
  'no indents': each((l) => l.trimStart()),
  indented: each((l) => (l === '' ? l : `    ${l}`)),
  tabs: each((l) => l.replace(/^(?: {4})+/, (s) => '\t'.repeat(s.length / 4))),
  quoted: each((l) => `> ${l}`),
  'quoted from a line on': lines((all, r) => {
    const at = r.below(all.length)
    return all.map((l, i) => (i < at ? l : `> ${l}`))
  }),
  commented: each((l) => `# ${l}`),
  numbered: each((l, i) => `${i + 1}: ${l}`),
  fenced: (t) => `Here it is:\n\n\`\`\`python\n${t.trimEnd()}\n\`\`\`\nThanks.\n`,
  'a fence not closed': (t) => `Here it is:\n\n\`\`\`\n${t}`,
  'prose around': (t) => `Hello all,\n\nthis is what I get:\n\n${t.trimEnd()}\n\nAny idea why?\n`,
  'as a diff': each((l, i) => `${i % 5 === 3 ? '+' : ' '}${l}`),
  'as a string of JSON': (t) => JSON.stringify({ id: 'x', graph: t }),
  'with entities': (t) => t.replace(/[<>"&]/g, (c) => ({ '<': '&lt;', '>': '&gt;', '"': '&quot;', '&': '&amp;' })[c]!),
  'invisible characters in names': (t, r) =>
    t.replace(/[_.](?=\w)/g, (c) => (r.below(20) === 0 ? c + r.of(['\u200b', '\u00ad', '\u2060']) : c)),
  'of a word processor': (t) =>
    t
      .replace(/"([^"\n]*)"/g, '\u201c$1\u201d')
      .replace(/-(?=\d)/g, '\u2013')
      .replaceAll('->', '\u2192')
      .replaceAll('fl', '\ufb02'),
  'bytes lost': (t, r) => t.replace(/\w/g, (c) => (r.below(500) === 0 ? '\ufffd' : c)),
  'links of a terminal': (t) => t.replace(/torch\.ops/g, '\u001b]8;;http://x\u001b\\torch.ops\u001b]8;;\u0007'),
  'two texts in a row': (t, _, other) => `${t.trimEnd()}\n\n${other}`,
  'a text inside another': (t, r, other) => {
    const all = t.split('\n')
    return all.toSpliced(r.below(all.length + 1), 0, ...other.split('\n')).join('\n')
  },
  'the begin of one and the end of another': (t, r, other) =>
    t.slice(0, r.below(t.length)) + other.slice(r.below(other.length)),
}

const NAMES = Object.keys(MUTATIONS)

/** Applies one to three mutations. */
export function mutate(text: string, random: Random, other: string): { text: string; mutations: string[] } {
  const mutations: string[] = []
  for (let n = random.of([1, 1, 1, 2, 2, 3]); n > 0 && text !== ''; n--) {
    const name = random.of(NAMES)
    mutations.push(name)
    text = MUTATIONS[name]!(text, random, other)
  }
  return { text, mutations }
}
