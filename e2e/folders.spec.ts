/** Dropped folders of pass files: a new workspace or the open one, files that fail, and registration functions. */
import { expect, onePage as test, type Tree } from './fixtures'

const IMPORTS = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
`
const FOLDER: Tree = {
  fusion: {
    '__init__.py': '',
    'shared.py': `${IMPORTS}patterns = PatternMatcherPass()\nX = [torch.empty(2)]\n`,
    'broken.py': 'raise OSError("no driver")\n',
    'notes.csv': '1,2\n',
    late: {
      'a.py': `${IMPORTS}from fusion.shared import patterns, X

def register():
    register_replacement(lambda x: torch.relu(x), lambda x: torch.sigmoid(x), X, fwd_only, patterns)

def register_more():
    register_replacement(lambda x: torch.neg(x), lambda x: torch.abs(x), X, fwd_only, patterns)
`,
    },
  },
}

test('a dropped folder becomes a workspace, whose registration functions are called', async ({ app, page }) => {
  await app.open()
  await app.pythonReady()
  await app.dropFolders(FOLDER)
  const dialog = page.getByRole('dialog', { name: 'Open a folder' })
  await expect(dialog).toContainText('fusion: 4 Python files')
  await dialog.getByRole('checkbox', { name: /^Keep / }).check()
  await dialog.getByRole('button', { name: 'New workspace' }).click()
  await expect(page.getByText('4 files of fusion added; left out: 1 without Python or a graph.')).toBeVisible()
  await expect(app.status).toContainText('1,552 nodes')
  await expect(page.getByRole('tab', { name: 'activation_quant_fusion.py' })).toHaveCount(0)
  await expect(page.getByTestId('verdict')).toContainText('OSError: no driver. The other files ran.')

  await app.panel('console')
  const files = page.getByTestId('file-outcomes')
  await expect(files.getByRole('listitem').filter({ hasText: 'broken.py' })).toContainText('OSError at line 1')
  await files.getByRole('button', { name: 'Call register()' }).click()
  await expect(page.getByRole('tab', { name: 'registration_calls.py' })).toBeVisible()
  await expect(files.getByRole('button', { name: 'Call register()' })).toHaveCount(0)
  await expect(files.getByRole('listitem').filter({ hasText: 'late/a.py' })).toContainText('1 pattern')
})

test('a dropped folder joins the open files, and Undo removes it', async ({ app, page }) => {
  await app.open()
  await app.dropFolders(FOLDER)
  await page.getByRole('button', { name: 'Join this one' }).click()
  const open = page.getByRole('tab', { name: 'activation_quant_fusion.py' })
  await expect(page.getByRole('tab', { name: /shared\.py/ })).toHaveCount(1)
  await expect(open).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByRole('tab', { name: /shared\.py/ })).toHaveCount(0)
  await app.dropFolders(FOLDER)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tab', { name: /shared\.py/ })).toHaveCount(0)
})
