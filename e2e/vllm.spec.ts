/** vLLM's passes: their modules are provided, with kernels or in plain torch, and a pasted file registers unchanged. */
import { readFileSync } from 'node:fs'
import { type App, expect, onePage as test } from './fixtures'

const PASTED = readFileSync(new URL('../src/python/testing/act_quant_fusion.py', import.meta.url), 'utf8')

async function openExample(app: App): Promise<void> {
  await app.open('./?example=vllm-rms-norm-quant')
  await app.pythonReady()
  await expect(app.status).toContainText('3 matches · 76 nodes')
}

test('RMSNorm and quantization: the custom operators decide on which graphs the same classes fire', async ({
  app,
  page,
}) => {
  await openExample(app)
  const picker = page.getByTestId('graph-picker')
  await expect(picker).toHaveValue('graphs/static_kernels.txt')

  await picker.selectOption('graphs/group64_kernels.txt')
  await expect(app.status).toContainText('3 matches · 79 nodes')
  await picker.selectOption('graphs/group64_plain.txt')
  await expect(app.status).toContainText('0 matches')

  await app.panel('patterns')
  const section = page.getByTestId('environment')
  await section.locator('summary').first().click()
  const customOps = section.getByLabel('Custom operators')
  await customOps.fill('none')
  await customOps.blur()
  await expect(app.status).toContainText('3 matches')
  await expect(section).toContainText("is_custom_op_enabled('rms_norm')")
  await expect(page.getByTestId('tree')).toContainText('kFp8Dynamic64Sym')
})

test('a file of vLLM’s passes, dropped without its folder, registers the patterns of the platform', async ({
  app,
  page,
}) => {
  await openExample(app)
  await app.drop('act_quant_fusion.py', PASTED)

  await app.panel('patterns')
  const tree = page.getByTestId('tree')
  await expect(tree).toContainText('ActivationQuantFusionPass.patterns')
  await expect(tree).toContainText('BlockPattern')
  await app.panel('console')
  await expect(page.getByTestId('console')).toContainText('Fusescope created ActivationQuantFusionPass(VllmConfig())')

  await app.panel('patterns')
  const section = page.getByTestId('environment')
  await section.locator('summary').first().click()
  await section.getByLabel('Platform').selectOption('cpu')
  const change = page.getByTestId('environment-change')
  await expect(change).toContainText('16 patterns disappeared.')
  await expect(change).toContainText('current_platform.is_cuda() is now False, was True')
})
