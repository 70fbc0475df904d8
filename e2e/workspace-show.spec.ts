import { expect, test } from '@playwright/test'
import { evaluate, ScriptedChat, write, xmlCall } from './support/scripted-chat'

const rows = 'month,sum\nMay,3\nJune,8\n'

test('code imports a file and a library, and draws a chart of what it read', async ({ page }) => {
  const code = `import Papa from 'papaparse'
import { double } from './lib/double.ts'
const { data } = Papa.parse(await fs.readFile('/sales.csv', 'utf8'), { header: true, dynamicTyping: true, skipEmptyLines: true })
await display.chart({ data: { values: data }, mark: 'bar', encoding: { x: { field: 'month' }, y: { field: 'sum', type: 'quantitative' } } })
double(data[1].sum)`
  const chat = await ScriptedChat.open(page, [
    write('/sales.csv', rows),
    write('/lib/double.ts', 'export const double = (n: number): number => n * 2\n'),
    evaluate(code),
    'Done.',
  ])
  await chat.begin()
  await chat.runThrough('write_file')
  await chat.runThrough('write_file')
  await chat.runThrough('browser_js_eval')
  expect(await chat.told(4)).toContain('16')
  const picture = chat.result('browser_js_eval').locator('img')
  await expect(picture).toHaveAttribute('src', /^(?:data:image\/svg|blob:)/)
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(100)
})

test('show: a table of a file, then a chart of it; the model hears how many rows there were', async ({ page }) => {
  const chart = { mark: 'bar', encoding: { x: { field: 'month' }, y: { field: 'sum', type: 'quantitative' } } }
  const chat = await ScriptedChat.open(page, [
    write('/sales.csv', rows),
    xmlCall('show', { path: '/sales.csv' }),
    xmlCall('show', { path: '/sales.csv', chart, title: 'Sales' }),
    'Done.',
  ])
  await chat.begin()
  await chat.runThrough('write_file')
  await expect(chat.call('show')).toContainText('/sales.csv')
  await chat.runThrough('show')
  expect(await chat.told(3)).toMatch(/"rows":\s*2/)
  await expect(chat.result('show').first()).toContainText('June')
  await chat.runThrough('show')
  const told = await chat.told(4)
  expect(told).toContain('chart')
  expect(told).not.toContain('<svg')
  const picture = chat.result('show').last().locator('img')
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(100)
})
