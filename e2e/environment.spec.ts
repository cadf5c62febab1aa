/** The simulated environment, and the registrations after a change (issue 6). */
import { expect, onePage as test } from './fixtures'

test('another chip disables the patterns and names the guard; the first chip restores them', async ({ app, page }) => {
  await app.open('./?example=ascend-add-rms-norm-mx-quant')
  await expect(app.status).toContainText('16 matches')
  await app.pythonReady()
  await app.panel('patterns')
  const section = page.getByTestId('environment')
  await section.locator('summary').first().click()
  await expect(section).toContainText("hasattr(torch_npu, 'npu_add_rms_norm_dynamic_mx_quant')")

  await section.getByLabel('Platform').selectOption('ascend-910b')
  await expect(app.status).toContainText('0 matches')
  const change = page.getByTestId('environment-change')
  await expect(change).toContainText('2 patterns disappeared.')
  await expect(change).toContainText('get_ascend_device_type() is now A2, was A5')

  await section.getByLabel('Platform').selectOption('ascend-a5')
  await expect(app.status).toContainText('16 matches')
  await expect(change).toContainText('2 patterns appeared.')

  await section.getByLabel('Model dtype').selectOption('float32')
  await expect(app.status).toContainText('0 matches')
  await expect(change).toContainText('model_config.dtype is now torch.float32, was torch.bfloat16')
})
