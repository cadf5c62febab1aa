import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { BOX_POLICY, LOADER_POLICY, OPENER_POLICY } from '../../../../scripts/vite/csp.mjs'
import { remoteFile } from './raw_address'
import { sentence } from './load_remote'

const PAGE = 'https://page.example/app/?from=x'
const url = (text: string): string => {
  const file = remoteFile(text, PAGE)
  return file.ok ? file.value.url : `! ${file.error}`
}

describe('the address of a file', () => {
  it.each([
    ['https://host.example/a/graph.txt#L3', 'https://host.example/a/graph.txt'],
    ['https://github.com/o/r/blob/main/d/g.py', 'https://raw.githubusercontent.com/o/r/main/d/g.py'],
    ['https://github.com/o/r/raw/v1/g.py', 'https://raw.githubusercontent.com/o/r/v1/g.py'],
    ['https://gist.github.com/u/0123456789abcdef', 'https://gist.githubusercontent.com/u/0123456789abcdef/raw'],
    [
      'https://gist.github.com/u/0123456789abcdef/raw/9f/a.py',
      'https://gist.githubusercontent.com/u/0123456789abcdef/raw/9f/a.py',
    ],
    ['https://huggingface.co/o/m/blob/main/g.txt', 'https://huggingface.co/o/m/resolve/main/g.txt'],
    ['http://localhost:8000/g.txt', 'http://localhost:8000/g.txt'],
    ['examples/index.json', 'https://page.example/app/examples/index.json'],
  ])('%s', (from, to) => expect(url(from)).toBe(to))

  it('is refused in one sentence where it cannot be a file', () => {
    expect(url('http://host.example/g.txt')).toMatch(/^! Only https addresses/)
    expect(url('javascript:alert(1)')).toMatch(/^! Only https addresses/)
    expect(url('https://u:p@host.example/g')).toMatch(/^! An address with a password/)
    expect(url('https://github.com/o/r')).toMatch(/^! This is a page of GitHub/)
    expect(url('https://gist.github.com/0123456789abcdef')).toMatch(/^! This gist’s address has no user/)
    expect(url('https://')).toMatch(/^! .*is not an address/)
  })

  it('has the name of the file, and tells the page’s own host', () => {
    expect(remoteFile('https://host.example/a/b%20c.txt', PAGE)).toMatchObject({
      value: { name: 'b c.txt', own: false },
    })
    expect(remoteFile('/x/y.txt', PAGE)).toMatchObject({ value: { name: 'y.txt', own: true, host: 'page.example' } })
  })
})

it('each refusal of a host says what helps', () => {
  const of = (answer: Parameters<typeof sentence>[0]): string => sentence(answer, 'host.example')
  expect(of({ kind: 'status', status: 404 })).toBe('host.example has no such file (404).')
  expect(of({ kind: 'status', status: 403 })).toContain('asks for a login (403)')
  expect(of({ kind: 'refused' })).toContain('(CORS): download the file and drop it here')
  expect(of({ kind: 'large' })).toContain('more than 64 MiB')
  expect(of({ kind: 'slow' })).toContain('sent nothing for 20 s')
})

it.each([
  ['load.html', LOADER_POLICY],
  ['open.html', OPENER_POLICY],
  ['box.html', BOX_POLICY],
])('%s and the headers have one policy', (name, policy) => {
  const html = readFileSync(new URL(`../../../../public/${name}`, import.meta.url), 'utf8')
  expect(html).toContain(`content="${policy}"`)
})
