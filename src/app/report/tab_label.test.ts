import { expect, test } from 'vitest'
import { tabLabel } from './tab_label'

test('a tab shows as much of the path as makes it unique', () => {
  const all = ['main.py', 'a/noop.py', 'a/b/noop.py', 'a/b/fusion.py', 'a/__init__.py']
  expect(all.map((n) => tabLabel(n, all))).toEqual(['main.py', 'a/noop.py', 'b/noop.py', 'fusion.py', 'a/__init__.py'])
})
