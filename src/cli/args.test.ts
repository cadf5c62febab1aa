import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseArgs } from './args'
import { COMMANDS } from './commands'
import { commandHelp, overview } from './help'

const errorOf = (...argv: string[]): string => {
  const parsed = parseArgs(argv)
  if (parsed.ok) throw new Error('expected an error')
  return parsed.error
}

describe('the help', () => {
  it('names every command and every option', () => {
    for (const [name, { usage, options }] of Object.entries(COMMANDS)) {
      for (const line of usage) expect(overview()).toContain(`fusescope ${line}`)
      const text = commandHelp(name)
      for (const option of Object.keys(options)) {
        expect(text).toContain(`\n  --${option}`)
        expect(usage.join(' ')).toContain(`--${option}`)
      }
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(141)
    }
  })
})

describe('the command line', () => {
  it('is parsed into a command', () => {
    expect(
      parseArgs(['match', '--graph', 'g', '--pattern', 'a.py', 'b.py', '--json', '--expect', '32', '--pattern=c.py']),
    ).toEqual({
      ok: true,
      value: {
        kind: 'match',
        numbers: false,
        graph: 'g',
        readable: null,
        shapes: null,
        patterns: ['a.py', 'b.py', 'c.py'],
        passes: [],
        calls: [],
        json: true,
        expect: 32,
      },
    })
    const config = join(mkdtempSync(join(tmpdir(), 'config-')), 'env.json')
    writeFileSync(config, '{"platform": "rocm", "tokens": 8, "layers": {"l0": "Attention(32, 128)"}}')
    const read = parseArgs(['passes', '--graph', 'g', '--pattern', 'p', '--config', config, '--env', 'tokens=16'])
    expect(read.ok && 'environment' in read.value && read.value.environment).toMatchObject({
      platform: 'rocm',
      dtype: 'bfloat16',
      tokens: 16,
      layers: { l0: 'Attention(32, 128)' },
    })
    const table = parseArgs(['table', '--passes', 'p', '--graphs', 'g', '--config', config])
    expect(table.ok && 'environment' in table.value && table.value.environment).toMatchObject({ platform: 'rocm' })
    expect(errorOf('table', '--merge', 'p', '--config', config)).toMatch(/--config does not go with --merge/)
    writeFileSync(config, '{"platfrom": "rocm"}')
    expect(errorOf('match', '--graph', 'g', '--pattern', 'p', '--config', config)).toMatch(/env\.json: .*platfrom/)
    expect(errorOf('match', '--graph', 'g', '--pattern', 'p', '--config', 'no.json')).toContain('no.json:1:1: ')
    // A link of a checkout may lead to any file.
    writeFileSync(config, 'hunter2')
    const fault = errorOf('match', '--graph', 'g', '--pattern', 'p', '--config', config)
    expect(fault).toMatch(/env\.json: this is not valid JSON \(Unexpected token\)$/)
    const within = parseArgs(['explain', '--graph', 'g', '--pattern', 'p', '--env', 'platform=cpu', 'fast=true'])
    expect(within.ok && 'environment' in within.value && within.value.environment).toMatchObject({
      platform: 'cpu',
      flags: { fast: true },
    })
    expect(parseArgs(['match', '--cases', 'f.jsonl', '--json'])).toEqual({
      ok: true,
      value: { kind: 'cases', file: 'f.jsonl', json: true },
    })
    const selection = { name: null, form: null, parameters: [], json: false }
    expect(parseArgs(['pattern', '--graph', 'g', '--nodes', 'a,%b', 'c'])).toEqual({
      ok: true,
      value: { kind: 'pattern', graph: 'g', readable: null, shapes: null, nodes: ['a', 'b', 'c'], ...selection },
    })
    expect(parseArgs(['pattern', '--cases', 'f', '--form', 'expr', '--name', 'n'])).toEqual({
      ok: true,
      value: { kind: 'pattern-cases', file: 'f', ...selection, form: 'expression', name: 'n' },
    })
    expect(parseArgs(['print', '--graph', 'g', '--as', 'fx'])).toEqual({
      ok: true,
      value: { kind: 'print', graph: 'g', link: null, as: 'fx', run: null },
    })
    expect(parseArgs(['explain', '--graph', 'g', '--pattern', 'a.py', '--json', '--quick'])).toEqual({
      ok: true,
      value: {
        kind: 'explain',
        graph: 'g',
        readable: null,
        shapes: null,
        patterns: ['a.py'],
        passes: [],
        calls: [],
        json: true,
        fixes: false,
        only: null,
        all: false,
      },
    })
    expect(parseArgs(['explain', '--cases', 'f.jsonl', '--json'])).toEqual({
      ok: true,
      value: { kind: 'explain-cases', file: 'f.jsonl', json: true, fixes: true },
    })
    expect(parseArgs(['compare', '--graph', 'a', '--graph', 'b', '--json'])).toEqual({
      ok: true,
      value: { kind: 'compare', old: 'a', new: 'b', patterns: [], passes: [], run: null, json: true },
    })
    expect(parseArgs(['export', '--workspace', 'w.json'])).toEqual({
      ok: true,
      value: { kind: 'export', workspace: 'w.json', as: 'script', run: null },
    })
    expect(parseArgs([])).toEqual({ ok: true, value: { kind: 'help' } })
    expect(parseArgs(['match', '--help'])).toEqual({ ok: true, value: { kind: 'help', command: 'match' } })
    expect(parseArgs(['help', 'print'])).toEqual({ ok: true, value: { kind: 'help', command: 'print' } })
    expect(parseArgs(['help', '--help'])).toEqual({ ok: true, value: { kind: 'help' } })
  })

  it('takes plain files as the graph and the patterns', () => {
    const spelled = parseArgs(['match', '--graph', 'g.txt', '--pattern', 'a.py', 'passes', '--json'])
    expect(parseArgs(['match', 'g.txt', 'a.py', 'passes', '--json'])).toEqual(spelled)
    expect(parseArgs(['match', 'a.py', '--json', '--graph', 'g.txt', 'passes'])).toEqual(spelled)
    expect(errorOf('match', 'a.py', 'b.py')).toMatch(/--graph FILE is missing/)
    expect(parseArgs(['outline', 'g.txt'])).toEqual(parseArgs(['outline', '--graph', 'g.txt']))
    expect(errorOf('print', 'g.txt', 'h.txt')).toMatch(/unexpected "h.txt"/)
    const dump = (file: string): boolean => file === 'fx_graph_readable.py'
    expect(parseArgs(['match', 'a.py', 'fx_graph_readable.py', 'passes'], dump)).toEqual(
      parseArgs(['match', '--graph', 'fx_graph_readable.py', '--pattern', 'a.py', 'passes']),
    )
  })

  it('reports an error in one sentence', () => {
    expect(errorOf('march')).toMatch(
      /unknown command "march"; expected match, table, baseline, check, explain, explain-pattern, passes, test, pattern, outline, lower, trace, capture-script, compare, export, print or link/,
    )
    expect(errorOf('match', '--pattern', 'p')).toMatch(/--graph FILE is missing/)
    expect(errorOf('match', '--graph', 'g', '--expect', '1')).toMatch(/--pattern FILE is missing/)
    expect(errorOf('match', '--graph', 'g', '--pattern')).toMatch(/--pattern needs a value/)
    expect(errorOf('match', '--graph', 'g', '--pattern', '')).toMatch(/--pattern needs a value/)
    expect(errorOf('match', '--graph', '--json')).toMatch(/--graph needs a value/)
    expect(errorOf('match', '--graph', 'a', '--graph', 'b')).toMatch(/given twice/)
    expect(errorOf('outline', '--graph', 'g', 'stray')).toMatch(/unexpected "stray"/)
    expect(errorOf('match', '--graph', 'g', '--pattern', 'p', '--expect', 'x')).toMatch(/--expect needs a count/)
    expect(errorOf('match', '--cases', 'f', '--expect', '3')).toMatch(/--expect does not go with --cases/)
    expect(errorOf('explain', '--pattern', 'p')).toMatch(/--graph FILE is missing/)
    expect(errorOf('explain', '--cases', 'f', '--pass', 'p')).toMatch(/--pass does not go with --cases/)
    expect(errorOf('help', 'march')).toMatch(/unknown command "march"/)
    expect(errorOf('compare', '--graph', 'a')).toMatch(/--graph OLD --graph NEW is needed, found 1/)
    expect(errorOf('export')).toMatch(/--workspace FILE or --capture FILE is missing/)
    expect(errorOf('export', '--workspace', 'w', '--run', 'x')).toMatch(/--run needs a number, found "x"/)
    expect(errorOf('export', '--workspace', 'w', '--as', 'zip')).toMatch(/needs script, pytest, patterns, found "zip"/)
    expect(errorOf('pattern', '--graph', 'g')).toMatch(/--nodes NAME,… is missing/)
    expect(errorOf('pattern', '--graph', 'g', '--nodes', 'a', '--form', 'x')).toMatch(/needs traced or expr, found "x"/)
    expect(errorOf('match', '--graph', 'g', '-x')).toMatch(/unexpected "-x"; expected --graph, /)
    expect(errorOf('match', '--json=yes')).toMatch(/takes no value/)
    expect(errorOf('print', '--graph', 'g', '--as', 'dot')).toMatch(/fx or readable, found "dot"/)
  })
})
