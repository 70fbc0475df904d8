import { readFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { readResult } from '@/lib/client/lab/lab-result'
import { ownProbes } from '@/lib/client/lab/probes/own-probes'
import { appUrl } from './support/addresses'
import { obedience } from './support/obeying-model'

const parts = (page: Page) => ({
  form: page.getByRole('region', { name: 'Test a model', exact: true }),
  progress: page.getByRole('region', { name: 'Progress', exact: true }),
  report: page.getByRole('region', { name: 'Report', exact: true }),
  trials: page.getByRole('region', { name: 'Trials', exact: true }),
})

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze()
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' | ')}`)).toEqual([])
}

test(
  'a lab over HTTP finds how often a model follows formats, over a reload, and its result is exported',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.goto(`${appUrl}/lab`)
    const { form, progress, report, trials } = parts(page)
    const models = form.getByRole('combobox', { name: 'Model', exact: true })
    await models.selectOption({ label: 'replay' })
    await expect(form.getByRole('status').last()).toContainText('requests: about')
    await form.getByRole('button', { name: 'Start', exact: true }).click()
    const all = ownProbes.length * 2
    await expect(progress.getByRole('status')).toContainText(/[1-9]\d* of \d+ trials have a verdict/)

    await page.reload()
    await progress.getByRole('button', { name: 'Resume', exact: true }).click()
    await expect(progress.getByRole('status')).toContainText(`${all} of ${all} trials have a verdict`, {
      timeout: 50_000,
    })
    await expect(report).toContainText(/XML_Tag is better than JSON_Strict here, p (?:=|<) /)
    for (const [strategy, rate] of Object.entries(obedience)) {
      const cell = report
        .getByRole('row', { name: new RegExp(`^${strategy}`) })
        .getByRole('cell')
        .first()
      const [, low, high] = /(\d+) % to (\d+) %/.exec((await cell.textContent()) ?? '') ?? []
      expect(Number(low)).toBeLessThanOrEqual(rate * 100)
      expect(Number(high)).toBeGreaterThanOrEqual(rate * 100)
    }
    await expectAccessible(page)

    await trials.getByRole('combobox', { name: 'Verdict', exact: true }).selectOption('no call')
    await trials.getByRole('button').first().click()
    await expect(page.getByRole('region', { name: 'Trial', exact: true })).toContainText('It answered with text')
    await expect(page.getByRole('textbox', { name: 'Reply', exact: true })).toHaveValue(/I would rather talk about it/)
    await page.getByText('Sent to the model').click()
    await expect(page.getByRole('region', { name: 'Trial', exact: true })).toContainText('[system]')
    await page.getByRole('button', { name: 'Back to report' }).click()

    await report.getByRole('textbox').fill('Ada')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      report.getByRole('button', { name: 'Export', exact: true }).click(),
    ])
    const file = readFileSync(await download.path(), 'utf8')
    expect(readResult(file)).toMatchObject({ ok: true, value: { by: 'Ada', probes: ownProbes.length } })
    expect(file).not.toContain('I would rather talk')
    const others = page.getByRole('region', { name: 'Results from others', exact: true })
    await others
      .locator('input[type=file]')
      .setInputFiles({ name: 'r.json', mimeType: 'application/json', buffer: Buffer.from(file) })
    await expect(others).toContainText('measured by Ada')
    await others
      .locator('input[type=file]')
      .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('[1') })
    await expect(others.getByRole('alert')).toContainText('is not a lab result')
    await expect(others).toContainText('measured by Ada')
  },
)

test('with the demo, one kind of probe at a time; a hostile file reports its bad lines and loses nothing', async ({
  page,
}) => {
  await page.goto(`${appUrl}/lab`)
  const { form, progress, trials } = parts(page)
  const question = (id: string) => ({
    id,
    question: [[{ role: 'user', content: 'Read /a.txt' }]],
    function: [
      { name: 'read_file', parameters: { type: 'dict', properties: { path: { type: 'string' } }, required: ['path'] } },
    ],
    ground_truth: [{ read_file: { path: ['/a.txt'] } }],
  })
  const lines = [
    JSON.stringify(question('mine')),
    '{"id": "broken',
    JSON.stringify({ ...question('\u202ehostile'), function: [{ name: '__proto__', parameters: {} }] }),
    '['.repeat(2_000),
    JSON.stringify(question('yours')),
  ].join('\n')
  const file = { name: '../..\u202egnp.jsonl', mimeType: 'application/json', buffer: Buffer.from(lines) }
  await form.locator('input[type=file]').setInputFiles({ ...file, buffer: Buffer.from('no json') })
  await expect(form).toContainText('no probes that the lab can use')
  await expect(form).toContainText('one call (8)')
  await form.locator('input[type=file]').setInputFiles(file)
  await expect(form).toContainText('2 probes from this file; 3 lines could not be used:')
  await expect(form).toContainText('Line 2 is not valid JSON')

  await form.getByRole('checkbox', { name: 'JSON_Strict', exact: true }).uncheck()
  await form.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(progress.getByRole('status')).toContainText('2 of 2 trials have a verdict')
  await expect(trials).toContainText('correct')
  await form.getByRole('button', { name: 'Use the built-in probes' }).click()
  await expect(form).toContainText('one call (8)')
  await page.setViewportSize({ width: 390, height: 800 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page)
})
