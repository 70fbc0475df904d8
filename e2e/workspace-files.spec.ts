import { readFile } from 'node:fs/promises'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { readZip } from '@/lib/client/files/zip/read-zip'
import { handMadeZip } from '@/lib/client/files/zip/testing/hand-made-zip'
import { inspect } from './support/inspect'
import { ScriptedChat } from './support/scripted-chat'

/** A picture of four pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8Dwn4GBgYGJgYGBgQEAIhsCAaL1TOUAAAAASUVORK5CYII=',
  'base64',
)
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="120" onload="parent.evil = 1">' +
  '<script>parent.evil = 1</script><rect width="240" height="120" rx="12" fill="#1d6b3d"/></svg>'
const rows = Array.from({ length: 12_000 }, (_, at) => `${at},name ${at},${(at * 7) % 1000},"a, b"`)

interface Upload {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}
const file = (name: string, data: string | Buffer): Upload => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(data),
})

/** A chat with these files in its open workspace. */
async function workspace(page: Page, files: readonly Upload[]): Promise<Locator> {
  await ScriptedChat.open(page, [])
  const panel = await openPanel(page)
  if (files.length > 0) await panel.getByLabel('Files to upload', { exact: true }).setInputFiles([...files])
  for (const { name } of files) await expect(entry(panel, name)).toBeVisible()
  return panel
}

async function openPanel(page: Page): Promise<Locator> {
  const button = page.getByRole('button', { name: 'Workspace', exact: true })
  await expect(button).toBeEnabled()
  // The page remembers whether it was open.
  if ((await button.getAttribute('aria-pressed')) === 'false') await button.click()
  const panel = page.getByRole('complementary', { name: 'Workspace' })
  // A choice before the files are loaded would have no effect.
  await expect(panel.getByRole('button', { name: 'New file' })).toBeEnabled()
  return panel
}

const entry = (panel: Locator, name: string) => panel.getByRole('treeitem', { name: new RegExp(`^${name}(?:,|$)`) })

async function open(panel: Locator, name: string): Promise<void> {
  await entry(panel, name).click()
  await expect(panel.getByRole('heading', { name: `/${name}` })).toBeVisible()
}

const back = (panel: Locator) => panel.getByRole('button', { name: 'Back to files' }).click()
const editor = (panel: Locator, name: string) => panel.getByRole('textbox', { name: `Editor: /${name}` })

/** The browser console's errors, such as policy violations. */
function complaints(page: Page): string[] {
  const said: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') said.push(message.text())
  })
  page.on('pageerror', (error) => said.push(error.message))
  return said
}

test('each kind of file is shown in its own view', { tag: '@nightly' }, async ({ page }) => {
  const said = complaints(page)
  const panel = await workspace(page, [
    file('code.ts', 'export const answer: number = 42\n'),
    file('data.csv', `id,name,value,note\n${rows.join('\n')}\n7,short\n`),
    file('page.html', '<style>h1 { color: red }</style><h1>A page</h1><script>document.title = "evil"</script>'),
    file('picture.png', png),
    file('drawing.svg', svg),
    file('notes.md', '# Notes\n\nSome *words* ![far](https://example.com/x.png)\n'),
    file('tree.json', '{"name": "nod", "list": [1, 2, 3]}'),
    file('broken.json', '{\n  "a": oops\n}'),
    file('paper.pdf', Buffer.from('%PDF-1.7\n\0\x01')),
  ])

  await open(panel, 'code.ts')
  await expect(editor(panel, 'code.ts')).toContainText('answer')
  // The language's colors have loaded, within the page's policy.
  const keyword = editor(panel, 'code.ts').getByText('export', { exact: true })
  await expect
    .poll(async () => keyword.evaluate((word) => getComputedStyle(word).color))
    .not.toBe(await editor(panel, 'code.ts').evaluate((text) => getComputedStyle(text).color))
  await inspect(page, 'file-code')
  await back(panel)

  await open(panel, 'data.csv')
  const table = panel.getByRole('table', { name: 'Table: /data.csv' })
  await expect(panel).toContainText('12,001 rows, 4 columns; 1 row has more or fewer cells')
  const third = page.getByRole('cell', { name: 'name 3', exact: true })
  await expect(table.getByRole('row').filter({ has: third })).toContainText('a, b')
  expect(await table.getByRole('row').count()).toBeLessThan(200)
  await table.evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await expect(table.getByText('short')).toBeVisible()
  await inspect(page, 'file-table')
  await back(panel)

  await open(panel, 'page.html')
  const frame = page.frameLocator('iframe[title="Page: /page.html"]')
  await expect(frame.getByRole('heading', { name: 'A page' })).toBeVisible()
  await expect(frame.locator('script')).toHaveCount(0)
  await inspect(page, 'file-html')
  await back(panel)

  await open(panel, 'picture.png')
  await expect(panel.getByText('2 × 2 pixels')).toBeVisible()
  await back(panel)

  await open(panel, 'drawing.svg')
  await expect(panel.getByText('240 × 120 pixels')).toBeVisible()
  expect(await page.evaluate(() => 'evil' in window)).toBe(false)
  await inspect(page, 'file-svg')
  await panel.getByRole('radio', { name: 'Edit' }).click()
  await expect(editor(panel, 'drawing.svg')).toContainText('<rect')
  await back(panel)

  await open(panel, 'notes.md')
  await expect(panel.getByRole('heading', { name: 'Notes', exact: true })).toBeVisible()
  await expect(panel.getByRole('group', { name: 'Markdown: /notes.md' }).locator('img')).toHaveCount(0)
  await inspect(page, 'file-markdown')
  await back(panel)

  await open(panel, 'tree.json')
  await expect(panel.getByRole('group', { name: 'JSON: /tree.json' })).toContainText('3 items')
  await back(panel)
  await open(panel, 'broken.json')
  await expect(panel.getByRole('alert')).toContainText('line 2, column 8')
  await back(panel)

  await open(panel, 'paper.pdf')
  await expect(panel.getByRole('alert')).toContainText('This document is damaged')
  await panel.getByRole('radio', { name: 'Original' }).click()
  await expect(panel.getByRole('group', { name: 'Bytes of /paper.pdf' })).toContainText('25 50 44 46')
  await inspect(page, 'file-binary')
  expect(said).toEqual([])
})

test('a file is edited, saved, and unchanged after a reload', async ({ page }) => {
  const panel = await workspace(page, [file('a.txt', 'one\r\ntwo\r\n')])
  await open(panel, 'a.txt')
  const text = editor(panel, 'a.txt')
  await text.click()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('zer')
  await expect(panel.getByText('unsaved')).toBeVisible()
  // A phone that is turned: the workspace moves into a sheet, and back.
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  for (const [turned, sheets] of [
    [{ width: 390, height: 844 }, 1],
    [size, 0],
  ] as const) {
    await page.setViewportSize(turned)
    await expect(page.getByRole('dialog', { name: 'Workspace' })).toHaveCount(sheets)
    await expect(panel.getByText('unsaved')).toBeVisible()
    await expect(text).toBeFocused()
  }
  await page.keyboard.type('o ')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(panel.getByText('unsaved')).toHaveCount(0)

  // Ctrl+F searches inside, Esc closes only the search, Esc and Tab leave the editor.
  await page.keyboard.press('ControlOrMeta+f')
  await expect(panel.getByRole('textbox', { name: 'Find' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel.getByRole('textbox', { name: 'Find' })).toHaveCount(0)
  await expect(text).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(text).not.toBeFocused()
  await expect(panel.getByText('unsaved')).toHaveCount(0)

  await page.reload()
  const again = await openPanel(page)
  await open(again, 'a.txt')
  await expect(editor(again, 'a.txt')).toContainText('zero one')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    again.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('a.txt')
  expect(await readFile(await saved.path(), 'utf8')).toBe('zero one\r\ntwo\r\n')
})

test('two tabs that edit one file: nothing is lost, the user chooses', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [])
  const panel = await openPanel(page)
  await panel.getByLabel('Files to upload', { exact: true }).setInputFiles([file('a.txt', 'first line\n')])
  await open(panel, 'a.txt')
  await editor(panel, 'a.txt').click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('mine')

  const other = await chat.secondTab()
  const otherPanel = await openPanel(other.page)
  await open(otherPanel, 'a.txt')
  await editor(otherPanel, 'a.txt').click()
  await other.page.keyboard.press('ControlOrMeta+End')
  await other.page.keyboard.type('theirs')
  await other.page.keyboard.press('ControlOrMeta+s')
  await expect(otherPanel.getByText('unsaved')).toHaveCount(0)

  await page.bringToFront()
  await expect(panel.getByRole('alert')).toContainText('changed while you edited it')
  await panel.getByRole('button', { name: 'Show changes' }).click()
  const lines = panel.getByRole('group', { name: 'Your version and the stored version: /a.txt' })
  await expect(lines).toContainText('theirs')
  await expect(lines).toContainText('mine')
  await inspect(page, 'file-conflict')
  await panel.getByRole('button', { name: 'Keep my version' }).click()
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(panel.getByText('unsaved')).toHaveCount(0)
  // The other tab has no edits of its own, and follows.
  await expect(editor(otherPanel, 'a.txt')).toContainText('mine')
  await expect(editor(otherPanel, 'a.txt')).not.toContainText('theirs')
})

test(
  'zips: a good one is unpacked, a hostile one is not, all files are downloaded as one',
  { tag: '@nightly' },
  async ({ page }) => {
    const panel = await workspace(page, [file('a.txt', 'mine')])
    const zipOf = async (entries: Parameters<typeof handMadeZip>[0]) =>
      Buffer.from(await handMadeZip(entries).arrayBuffer())
    const choose = async (name: string, data: Buffer) => {
      await panel.getByLabel('Zip to unpack').setInputFiles([file(name, data)])
      return page.getByRole('dialog', { name: `Import ${name}` })
    }

    const bomb = await choose('bomb.zip', await zipOf([{ name: 'zeros', data: Buffer.alloc(60_000_000) }]))
    await expect(bomb.getByRole('alert')).toContainText('Nothing was unpacked')
    await bomb.getByRole('button', { name: 'Cancel' }).click()

    const good = await choose(
      'good.zip',
      await zipOf([
        { name: 'a.txt', data: 'theirs' },
        { name: 'sub/ü 文.txt', data: 'two' },
        { name: '../../evil.txt', data: 'x' },
        { name: '__MACOSX/._a.txt', data: 'x' },
      ]),
    )
    await expect(good).toContainText('2 files')
    await expect(good.getByRole('list', { name: 'Left out' })).toContainText('evil.txt')
    await expect(good).toContainText('a.txt already exists')
    await inspect(page, 'zip-import')
    await good.getByRole('button', { name: 'Unpack here' }).click()
    await expect(entry(panel, 'a 2.txt')).toBeVisible()

    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Download as zip' }).first().click(),
    ])
    const packed = await readZip(new Blob([await readFile(await saved.path())]), {
      maxFiles: 100,
      maxFileBytes: 1_000,
      maxTotalBytes: 10_000,
    })
    const all = packed.ok ? packed.value.files : []
    expect(Object.fromEntries(all.map(({ path, data }) => [path, new TextDecoder().decode(data)]))).toEqual({
      'a.txt': 'mine',
      'a 2.txt': 'theirs',
      'sub/ü 文.txt': 'two',
    })
  },
)

test.describe('on a phone, in the dark', { tag: '@nightly' }, () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  test('a file fills the sheet', async ({ page }) => {
    const panel = await workspace(page, [
      file('notes.md', '# Notes\n\nSome *words*, and `code`.\n\n- one\n- two\n'),
      file('code.py', 'def answer(question: str) -> int:\n    """Always the same."""\n    return 42  # known\n'),
    ])
    await open(panel, 'notes.md')
    await expect(panel.getByRole('heading', { name: 'Notes', exact: true })).toBeVisible()
    await inspect(page, 'file-markdown-phone-dark')
    await back(panel)
    await open(panel, 'code.py')
    await expect(editor(panel, 'code.py')).toContainText('answer')
    await inspect(page, 'file-code-phone-dark')
  })
})
