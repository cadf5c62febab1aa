/** A slice of the fuzz of written files, by the checker in the Python of the page. All of it: scripts/security/exports/main.ts. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { commandsEscaped } from '../../../src/base/runner_commands'
import { literal } from '../../../src/fx/code/code'
import { start } from '../../../src/python/testing/start'
import { ExportCases, SAMPLE } from './cases'

const commands = (line: string): boolean => commandsEscaped(line, () => '') !== line
const FORMS = readFileSync(new URL('forms.py', import.meta.url), 'utf8')

it('files that are written for mutated graphs, captures, patterns, selections and lessons hold allowed forms only', async () => {
  const cases = new ExportCases()
  const files = Array.from({ length: SAMPLE }, (_, i) => cases.make(7, i).map((f) => ({ id: `7:${i}`, ...f }))).flat()
  expect(files.filter((f) => f.text.split('\n').some(commands)).map((f) => [f.id, f.kind])).toEqual([])
  const bad = [
    { id: 'a call', kind: 'script', text: `"""x"""\nEXPECTED = {'a': exit()}\n` },
    { id: 'a statement', kind: 'recorded', text: `"""x"""\ndef trace_0(build):\n    import os\n` },
    { id: 'a function', kind: 'patterns', text: `"""x"""\np_0 = CallFunction(torch.load, Arg())\n` },
    { id: 'a method', kind: 'selection', text: `"""x"""\ndef pattern(x):\n    return x.__class__\n` },
  ]
  const lines = [{ fixed: cases.fixed() }, ...files, ...bad].map((l) => JSON.stringify(l)).join('\n')
  const py = await start()
  const { console: printed, failure } = py.run([
    { name: 'forms.py', text: FORMS },
    { name: 'p.py', text: `import forms\nforms.main(${literal(lines)}.split("\\n"))\n` },
  ])
  expect(failure?.traceback ?? null).toBeNull()
  const said = printed.flatMap((c) => c.text.trim().split('\n'))
  expect(said.slice(0, -1).map((l) => l.replace(/ \w+: .*/, ''))).toEqual(bad.map((b) => b.id))
  expect(said.at(-1)).toBe(`${files.length + bad.length} files, ${bad.length} faults`)
})
