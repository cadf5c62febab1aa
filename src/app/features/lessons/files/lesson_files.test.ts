import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { draftOfLesson, readLesson, writeLesson, type ReadFile } from './lesson_files'
import { readZip, writeZip } from './zip'

const lessons = fileURLToPath(new URL('../../../../../public/lessons/', import.meta.url))

/** The files of a lesson of the site. */
function filesOf(id: string): Map<string, string> {
  const dir = join(lessons, id)
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((p) => statSync(join(dir, p)).isFile())
  return new Map(paths.map((p) => [p.replace(/\\/g, '/'), readFileSync(join(dir, p), 'utf8')]))
}
const reading =
  (files: ReadonlyMap<string, string>): ReadFile =>
  (path) =>
    files.get(path) ?? null

describe('the files of a lesson', () => {
  it.each(['by-hand', 'constants', 'debugging', 'lists'])('%s is written as it was read', (id) => {
    const read = reading(filesOf(id))
    const draft = draftOfLesson(readLesson(id, read), read)
    const again = reading(writeLesson(draft))
    const lesson = readLesson(id, again)
    expect(draftOfLesson(lesson, again)).toEqual(draft)
    expect(lesson.texts).toEqual(readLesson(id, read).texts)
  })
  it('keeps the paths of Python files, which imports need', () => {
    const files = new Map([
      [
        'lesson.json',
        '{"order":1,"summary":"","minutes":1,"workspaces":{"a":{"graph":"g.py","files":["x/files/p/q.py"]}},"steps":[{"id":"s"}]}',
      ],
      ['lesson.md', '# T\n\n## One\n\nText.\n'],
      ['g.py', ''],
      ['x/files/p/q.py', 'x = 1'],
    ])
    const draft = draftOfLesson(readLesson('t', reading(files)), reading(files))
    expect(draft.workspaces.a!.files).toEqual([{ name: 'p/q.py', text: 'x = 1' }])
    expect([...writeLesson(draft).keys()]).toContain('files/p/q.py')
  })
  it('names what is malformed', () => {
    const files = filesOf('by-hand')
    const changed = (path: string, text: string) => reading(new Map([...files, [path, text]]))
    expect(() => readLesson('x', () => null)).toThrow('x: a lesson has lesson.json and lesson.md')
    expect(() => readLesson('x', changed('lesson.md', '# T\n\n## One\n'))).toThrow('has 1 sections')
    expect(() => readLesson('x', changed('lesson.json', '{"steps":[]}'))).toThrow('x/lesson.json: order')
    expect(() => readLesson('x', changed('lesson.md', '# T\n\n<b>bold</b>\n'))).toThrow('does not draw html')
  })
})

describe('zip archives', () => {
  it('are read as they were written', async () => {
    const files = new Map([
      ['lesson.md', '# Täst\n'],
      ['a/b.py', 'x = 1\n'.repeat(100)],
    ])
    const bytes = new Uint8Array(await writeZip(files).arrayBuffer())
    expect(await readZip(bytes)).toEqual(files)
    expect([...bytes.slice(14, 18)]).not.toEqual([0, 0, 0, 0])
  })
  it('are read with compression, as other programs write them', async () => {
    const bytes = new Uint8Array(await writeZip(new Map([['a', 'text']])).arrayBuffer())
    const packed = deflateRawSync('text')
    const [header, rest] = [bytes.slice(0, 31), bytes.slice(35)]
    const out = new Uint8Array([...header, ...packed, ...rest])
    const view = new DataView(out.buffer)
    const directory = header.length + packed.length
    view.setUint16(directory + 10, 8, true)
    view.setUint32(directory + 20, packed.length, true)
    view.setUint32(out.length - 6, directory, true)
    expect(await readZip(out)).toEqual(new Map([['a', 'text']]))
  })
  it('that name the same bytes again and again are refused', async () => {
    const bytes = new Uint8Array(await writeZip(new Map([['a', 'x'.repeat(1_000_000)]])).arrayBuffer())
    const at = bytes.length - 22 - 47
    const [body, entry, end] = [bytes.slice(0, at), bytes.slice(at, -22), bytes.slice(-22)]
    entry.fill(0, 24, 28) // the size before packing
    const out = new Uint8Array([...body, ...Array.from({ length: 100 }, () => [...entry]).flat(), ...end])
    await expect(readZip(out)).rejects.toThrow('the archive holds more than 64 MiB')
  })
  it('that are damaged are refused', async () => {
    await expect(readZip(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).rejects.toThrow('the archive is damaged')
  })
})
