/** Downloads of the workspace as text for a real PyTorch. */
import { readFileSync } from 'node:fs'
import { expect, onePage as test, SMALL } from './fixtures'

test('the script, the pytest file and the patterns are downloaded', async ({ app, page }) => {
  await app.open(SMALL)
  await expect(app.status).toContainText('1 match')
  await app.pythonReady()
  await page.getByTestId('share-button').click()
  const exports = page.getByRole('group', { name: 'Export for a real PyTorch' })
  const texts: Record<string, string> = {}
  for (const name of ['Script', 'pytest', 'Patterns']) {
    const [download] = await Promise.all([page.waitForEvent('download'), exports.getByRole('button', { name }).click()])
    texts[download.suggestedFilename()] = readFileSync((await download.path())!, 'utf8')
  }
  expect(Object.keys(texts)).toEqual([
    'rmsnorm_int8_quantization_fusescope.py',
    'test_rmsnorm_int8_quantization_fusescope.py',
    'rmsnorm_int8_quantization_fusescope_patterns.py',
  ])
  expect(texts['rmsnorm_int8_quantization_fusescope.py']).toContain("'graph.txt': {'patterns': 1}")
  expect(texts['test_rmsnorm_int8_quantization_fusescope.py']).toContain('def test_matches(passes, at)')
  expect(texts['rmsnorm_int8_quantization_fusescope_patterns.py']).toContain(
    'CallFunction(torch.ops.higher_order.auto_functionalized',
  )
})
