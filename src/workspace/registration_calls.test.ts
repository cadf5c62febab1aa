import { expect, test } from 'vitest'
import { withCalls } from './registration_calls'
import { workspaceSchema } from './schema'

const FILE = `# Registration functions that the project calls elsewhere.
import proj.late
proj.late.register()
`

test('adds calls to the file that makes them, each once', () => {
  const files = withCalls([{ name: 'a.py', text: '' }], ['proj.late.register'])
  expect(files).toEqual([
    { name: 'a.py', text: '' },
    { name: 'registration_calls.py', text: FILE },
  ])
  expect(withCalls(files, ['proj.late.register'])).toEqual(files)
  expect(withCalls(files, ['a.go'])[1]!.text).toBe(`${FILE}import a\na.go()\n`)
  expect(withCalls([], [])).toEqual([])
})

test('the calls of a workspace file become that file', () => {
  const workspace = { name: 'w', graph: { name: 'g.txt', text: '' }, files: [], options: { timeLimitS: 1 } }
  const { files, ...rest } = workspaceSchema.parse({ ...workspace, calls: ['proj.late.register'] })
  expect([files.map((f) => f.text), 'calls' in rest]).toEqual([[FILE], false])
  expect(workspaceSchema.safeParse({ ...workspace, calls: ['register()'] }).error?.issues[0]?.message).toBe(
    'must be MODULE.FUNCTION',
  )
})
