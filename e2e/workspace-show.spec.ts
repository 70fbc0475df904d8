import { expect, test, type Locator } from '@playwright/test'
import { evaluate, otherProfile, press, ScriptedChat, write, xmlCall } from './support/scripted-chat'

/** A picture is in the sealed frame, and none in the page. */
async function expectDrawn(card: Locator): Promise<void> {
  const picture = card.frameLocator('iframe').locator('img')
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)))
    .toBeGreaterThan(100)
  await expect(card.locator('img')).toHaveCount(0)
}

const rows = 'month,sum\nMay,3\nJune,8\n'

test('code imports a file and a library, and draws a chart of the data @nightly', async ({ page }) => {
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
    'A bar chart.',
  ])
  await chat.begin()
  await chat.runThrough('write_file')
  await chat.runThrough('write_file')
  await chat.runThrough('browser_js_eval')
  expect(await chat.told(4)).toContain('16')
  await expectDrawn(chat.result('browser_js_eval'))

  // The model sees the chart once the user adds it to a message.
  await press(chat.result('browser_js_eval'), 'More')
  await page.getByRole('menuitem', { name: 'Add to message' }).click()
  const attached = page.getByRole('list', { name: 'Attached files' })
  await expect(attached).toContainText(/\.png.*pixels, about .* tokens/)
  await chat.ask('What does it show?')
  expect((await chat.sent()).at(-1)?.messages.at(-1)?.pictures).toHaveLength(1)
})

test('show: a table of a file, then a chart of it; the model learns the number of rows', async ({ page }) => {
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
  await expectDrawn(chat.result('show').last())
})

/** 1 kB of SVG that represents ten million shapes. */
const bomb = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><defs><rect id="a0" width="1" height="1"/>${Array.from(
  { length: 7 },
  (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`,
).join('')}</defs><use href="#a7"/></svg>`

/** A chart whose rows would call their own `join` and `slice`. */
const reaching = JSON.stringify({
  $schema: 'https://vega.github.io/schema/vega/v6.json',
  width: 120,
  height: 120,
  data: [
    {
      name: 't',
      values: [[0]],
      transform: [
        { type: 'formula', as: 'join', expr: '[].constructor.constructor' },
        { type: 'formula', as: 'slice', expr: `join(datum, "fs.writeFile('/notes.md','OWNED'); return 1")` },
        { type: 'formula', as: 'x', expr: 'slice(datum)' },
      ],
    },
  ],
  marks: [],
})

test(
  'displays change no file, and can’t harm the page, in a fresh browser either',
  { tag: '@nightly' },
  async ({ page, context }) => {
    const chat = await ScriptedChat.open(page, [
      write('/notes.md', 'mine'),
      write('/report.json', reaching),
      xmlCall('show', { path: '/report.json' }),
      evaluate(`display.svg(${JSON.stringify(bomb)}); 1`),
      xmlCall('read_file', { path: '/notes.md' }),
      'Done.',
    ])
    await chat.begin()
    await chat.runThrough('write_file')
    await chat.runThrough('write_file')
    // The card shows the file's content before it is drawn.
    await expect(chat.call('show')).toContainText('Draw the chart in /report.json')
    await chat
      .call('show')
      .getByRole('button', { name: /^Show all/ })
      .click()
    await expect(chat.call('show')).toContainText('[].constructor.constructor')
    await chat.runThrough('show')
    await chat.runThrough('browser_js_eval')
    await chat.runThrough('read_file')
    expect(await chat.told(6)).toContain('mine')

    const fresh = await otherProfile(context)
    const other = await chat.in(await fresh.newPage())
    const card = other.result('browser_js_eval')
    await expect(card).toContainText('Not drawn yet because it has about')
    await press(card, 'Draw')
    await expect(card.locator('iframe')).toHaveCount(1)
    // The page answers while the frame does not.
    await other.page.getByRole('textbox', { name: 'Message' }).fill('still here')
    await expect(card).toContainText('took too long and was stopped', { timeout: 40_000 })
    await expect(card.locator('iframe')).toHaveCount(0)
    await fresh.close()
  },
)
