/** Damaged captures: a fixed sequence of cut, removed and changed lines. Reading and replaying never throw. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { compareCapture } from './compare'
import { readCapture } from './read'

const FILES = ['compiled-model', 'inductor-graph-patterns', 'ascend-streams', 'imported-late']

/** Numbers below `n` of a linear congruential generator. */
function numbers(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state % n
  }
}

function damaged(text: string, below: (n: number) => number): string {
  const lines = text.split('\n')
  const at = 1 + below(lines.length - 1)
  const line = lines[at]!
  const cut = below(line.length + 1)
  switch (below(5)) {
    case 0:
      return text.slice(0, below(text.length))
    case 1:
      return lines.toSpliced(at, 1).join('\n')
    case 2:
      return lines.toSpliced(at, 1, line.slice(0, cut) + line.slice(cut + 1 + below(20))).join('\n')
    case 3:
      return lines
        .toSpliced(
          at,
          1,
          line.replace(/\d+/g, (d) => String(Number(d) + below(3))),
        )
        .join('\n')
    default:
      return lines
        .toSpliced(
          at,
          1,
          line.replace(/"\w+":(\[[^[\]]*\]|"[^"]*"|\d+)/, (m) =>
            below(2) ? '"gone":0' : `${m.slice(0, m.indexOf(':'))}:{"t":[null]}`,
          ),
        )
        .join('\n')
  }
}

it.each(FILES)('%s', (name) => {
  const file = new URL(`../../../conformance/captures/${name}.fusescope.gz`, import.meta.url)
  const text = gunzipSync(readFileSync(file)).toString()
  const below = numbers(20260801)
  for (let i = 0; i < 30; i++) {
    const bad = damaged(text, below)
    try {
      const read = readCapture(bad, name)
      if (read.ok) compareCapture(read.value)
    } catch (e) {
      expect.fail(`damage ${i}: ${(e as Error).stack}`)
    }
  }
})
