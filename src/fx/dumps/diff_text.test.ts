import { describe, expect, it } from 'vitest'
import { printGraph, read } from '..'
import { diffSides } from './diff_text'
import { dumpOfText } from './dump'

const lines = (op: string): string[] => [
  'graph():',
  '    %x : [num_users=1] = placeholder[target=x]',
  `    %y : [num_users=1] = call_function[target=torch.ops.aten.${op}.default](args = (%x,), kwargs = {})`,
  '    return (y,)',
]
const graph = (op: string): string => `${lines(op).join('\n')}\n`
const [head, x, relu, end] = lines('relu') as [string, string, string, string]
const gelu = lines('gelu')[2]!
const body = [` ${head}`, ` ${x}`, `-${relu}`, `+${gelu}`, ` ${end}`].join('\n')

describe('a diff of a graph', () => {
  it.each([
    [
      'git diff',
      `diff --git a/g.txt b/g.txt\nindex 1a2b..3c4d 100644\n--- a/g.txt\n+++ b/g.txt\n@@ -1,4 +1,4 @@\n${body}\n`,
    ],
    ['a fenced block of an issue', `\`\`\`diff\n${body}\n\`\`\`\n`],
    ['lines alone', body],
  ])('%s offers both sides', (_, text) => {
    expect(diffSides(text)).toEqual({ before: graph('relu'), after: graph('gelu') })
    const { graphs, best, problems } = dumpOfText(text, 'issue.txt')
    expect([graphs.map((g) => g.title), best, problems]).toEqual([['before the change', 'after the change'], 1, []])
    expect(graphs.map((g) => printGraph(read(g.text, 'g').graph).trim())).toEqual(
      ['relu', 'gelu'].map((op) => graph(op).trim()),
    )
  })

  it('marks the lines between two hunks as cut', () => {
    const text = `@@ -1,2 +1,2 @@\n ${head}\n ${x}\n@@ -40,2 +40,2 @@\n-${relu}\n+${gelu}\n ${end}\n`
    expect(diffSides(text)!.after).toBe(`${head}\n${x}\n...\n${gelu}\n${end}\n`)
  })

  it('is not a patch of a program beside a graph', () => {
    const patch = (line: string): string =>
      `Patch:\n\`\`\`diff\n def f(x):\n-    y = ${line}1)\n+    y = ${line}2)\n     return y\n\`\`\``
    expect(diffSides(patch('g(x, '))).toBeNull()
    expect(diffSides(`${patch('torch.ops.aten.add.Tensor(x, ')}\n\`\`\`\n${graph('relu')}\`\`\`\n`)).toBeNull()
    expect(diffSides(patch('torch.ops.aten.add.Tensor(x, '))).not.toBeNull()
  })

  it('is not any text with dashes or an indented graph', () => {
    expect(diffSides(graph('relu'))).toBeNull()
    expect(diffSides(`${'-'.repeat(20)}\n${graph('relu')}`)).toBeNull()
    expect(diffSides(graph('relu').replaceAll(/^/gm, '  '))).toBeNull()
    expect(diffSides('--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-import os\n+import sys\n')).toBeNull()
  })
})
