/** Checks that style sheets use the tokens, and that components use classes that exist. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const app = fileURLToPath(new URL('..', import.meta.url))
const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).map((name) => join(app, name))
const read = (file: string): string => readFileSync(file, 'utf8')
const sheets = files.filter((name) => name.endsWith('.css'))
const name = (file: string): string => relative(app, file)

/** Style sheets whose class names are global, each with its reason in its first comment. */
const GLOBAL = ['theme/base.css', 'theme/canvas_tokens.css', 'theme/foreign.css', 'theme/tokens.css']

test('every sheet but the theme is a module, and none is over 300 lines', () => {
  expect(
    sheets
      .filter((s) => !s.endsWith('.module.css'))
      .map(name)
      .sort(),
  ).toEqual(GLOBAL)
  expect(sheets.filter((s) => read(s).split('\n').length > 300).map(name)).toEqual([])
})

/** Declarations whose lengths must be tokens. Borders, sizes and positions may be in pixels. */
const FROM_TOKENS = /^\s*(?:padding|margin|gap|row-gap|column-gap|border-radius|font-size|z-index)[\w-]*\s*:\s*(.+);/

test('spacing, radii, type sizes and stacking come from tokens', () => {
  const wrong = sheets
    .filter((s) => !s.endsWith('tokens.css'))
    .flatMap((sheet) =>
      read(sheet)
        .split('\n')
        .filter((line) => {
          const value = FROM_TOKENS.exec(line)?.[1]?.replace(/var\([^)]*\)/g, '')
          return value !== undefined && (/\d(?:px|r?em)\b/.test(value) || /z-index:\s*\d/.test(line))
        })
        .map((line) => `${name(sheet)}: ${line.trim()}`),
    )
  expect(wrong).toEqual([])
})

test('tokens that are used exist', () => {
  const defined = new Set(sheets.flatMap((s) => [...read(s).matchAll(/^\s*(--[\w-]+):/gm)].map((m) => m[1]!)))
  const used = files
    .filter((f) => /\.(css|tsx?)$/.test(f))
    .flatMap((f) => [...read(f).matchAll(/var\((--f[sc]-[\w-]+)\)/g)].map((m) => ({ file: name(f), token: m[1]! })))
  expect(used.filter(({ token }) => !defined.has(token))).toEqual([])
})

/** Rules with a selector when the issue of a page that a designer would sign was written: 1,078. A new rule replaces one. */
const MAX_RULES = 968

test('the sheets do not grow', () => {
  const rules = sheets.flatMap((s) => {
    const heads = [
      ...read(s)
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .matchAll(/([^{}]*)\{/g),
    ]
    return heads.filter(([, head]) => !head!.trim().startsWith('@'))
  })
  expect(rules.length).toBeLessThanOrEqual(MAX_RULES)
})

/** The classes that each sheet defines. */
const classes = new Map(
  sheets.map((s) => [
    s,
    new Set(
      [
        ...read(s)
          .replace(/\/\*[\s\S]*?\*\//g, '')
          .matchAll(/\.([A-Za-z][\w-]*)(?=[^{}]*\{)/g),
      ].map((m) => m[1]!),
    ),
  ]),
)

test('components use the classes that exist, and every class is used', () => {
  const used = new Map<string, Set<string>>()
  const missing: string[] = []
  for (const sheet of sheets)
    for (const [, all, from] of read(sheet).matchAll(/composes: ([\w ]+?)(?: from '([^']+)')?;/g)) {
      const of = from ? resolve(dirname(sheet), from) : sheet
      for (const own of all!.split(' ')) {
        used.set(of, (used.get(of) ?? new Set()).add(own))
        if (!classes.get(of)?.has(own)) missing.push(`${name(sheet)}: composes ${own}`)
      }
    }
  for (const file of files.filter((f) => /\.tsx?$/.test(f))) {
    const whole = read(file)
    const text = whole.replace(/^import .*$/gm, '')
    const shared = /import \{ css(?:, cx)? \} from '([^']+)\/css'/.exec(whole)
    const imports = [...whole.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)].map(([, local, from]) => [
      local,
      from,
    ])
    if (shared) imports.push(['css', `${shared[1]}/text.module.css`])
    for (const [local, from] of imports) {
      const sheet = resolve(dirname(file), from!)
      const all = used.get(sheet) ?? new Set()
      used.set(sheet, all)
      for (const [, key] of text.matchAll(new RegExp(`\\b${local}\\.(\\w+)`, 'g'))) {
        all.add(key!)
        if (!classes.get(sheet)?.has(key!)) missing.push(`${name(file)}: ${local}.${key}`)
      }
      if (text.includes(`${local}[`)) for (const c of classes.get(sheet) ?? []) all.add(c)
    }
  }
  const unused = [...classes].flatMap(([sheet, own]) =>
    sheet.endsWith('.module.css')
      ? [...own].filter((c) => !used.get(sheet)?.has(c)).map((c) => `${name(sheet)}: .${c}`)
      : [],
  )
  expect(missing).toEqual([])
  expect(unused).toEqual([])
})
