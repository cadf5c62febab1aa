/** vLLM-Ascend's guards: streams, the compile path, the chip (issue 6). */
import { expect, onePage as test } from './fixtures'

test('a match over two streams is rejected with its labels, and the same layers on one stream fuse', async ({
  app,
  page,
}) => {
  await app.open('./?example=ascend-streams')
  await expect(app.status).toContainText('2 matches')
  await app.pythonReady()
  await app.panel('whynot')
  const why = page.getByTestId('panel-body')
  await expect(why).toContainText('node.meta["stream_label"] is \'norm\' on npu_add_rms_norm_3')
  await expect(why).toContainText("and 'quant' on npu_dynamic_mx_quant_3")
  await expect(why).toContainText('put all of them on one stream in the model')

  await why.getByRole('button', { name: 'npu_add_rms_norm_3' }).first().click()
  await app.panel('inspector')
  await expect(page.getByTestId('node-facts')).toContainText('meta["stream_label"]\'norm\'')

  await page.getByTestId('graph-picker').selectOption('one_stream.py')
  await expect(app.status).toContainText('4 matches')
})

test('one of the two registrations is active, and its deciding flag is named', async ({ app, page }) => {
  await app.open('./?example=ascend-streams')
  await expect(app.status).toContainText('2 matches')
  await app.panel('pipeline')
  const stage = (name: string) => page.getByTestId(`stage-${name}`)
  await expect(stage('npugraph_ex.patterns')).toContainText('2 matches · 2 patterns')
  await expect(stage('patterns')).toContainText('the other compile path is active')
  await expect(stage('patterns')).toContainText('enable_npugraph_ex is True')
})

test('the pass without registrations shows the guard on the chip', async ({ app, page }) => {
  await app.open('./?example=ascend-add-rms-norm-mx-quant')
  await expect(app.status).toContainText('16 matches')
  await app.pythonReady()
  await app.panel('patterns')
  const section = page.getByTestId('environment')
  await section.locator('summary').first().click()
  await section.getByLabel('Platform').selectOption('ascend-910b')
  await expect(app.status).toContainText('0 matches')
  await app.panel('pipeline')
  await expect(page.getByTestId('stage-patterns')).toContainText('get_ascend_device_type() is A2')
})
