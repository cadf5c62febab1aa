import { expect, it } from 'vitest'
import { DocumentSync } from './document_sync'

it('sends new, changed and removed files once', () => {
  const sent: string[] = []
  const sync = new DocumentSync((method, params) => {
    const { uri, textDocument } = params as { uri?: string; textDocument?: { uri: string; version?: number } }
    sent.push(`${method} ${uri ?? textDocument!.uri} ${textDocument?.version ?? ''}`.trim())
  })
  const a = { name: 'pkg/a b.py', text: 'x = 1' }
  sync.sync([a])
  sync.sync([a])
  expect(sent.splice(0)).toEqual([
    'pyright/createFile file:///src/pkg/a%20b.py',
    'textDocument/didOpen file:///src/pkg/a%20b.py 1',
  ])
  sync.sync([{ ...a, text: 'x = 2' }])
  expect(sent.splice(0)).toEqual(['textDocument/didChange file:///src/pkg/a%20b.py 2'])
  expect(sync.nameOf('file:///src/pkg/a%20b.py')).toBe('pkg/a b.py')
  expect(sync.nameOf('file:///typeshed/stdlib/abc.pyi')).toBeNull()
  sync.sync([])
  expect(sent).toEqual([
    'textDocument/didClose file:///src/pkg/a%20b.py',
    'pyright/deleteFile file:///src/pkg/a%20b.py',
  ])
})
