import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { appearancesOf, looks } from './support/appearances'
import { Chat } from './support/chat'
import { inChinese } from './support/every-appearance'

/*
 * A headless browser has no folder picker and can't show the question for write access; while that question is open it
 * takes no clicks. So the test writes to a folder of the browser's own storage, which has the same handles. A folder
 * that is really on disk comes in by a drop, which grants reading only.
 */

declare global {
  interface Window {
    /** The contents of the file, or null. `text`: another program writes the file. */
    diskFile(name: string, text?: string): Promise<string | null>
  }
}

async function openPanel(page: Page) {
  const chat = new Chat(page)
  await chat.open()
  await chat.ask('Hello')
  await page.keyboard.press('Control+Shift+E')
  const panel = page.getByRole('complementary', { name: 'Workspace', exact: true })
  await expect(panel).toBeVisible()
  return panel
}

for (const look of appearancesOf('light', 'dark', 'darkPhone')) {
  test.describe(look, () => {
    test.use(looks[look])

    test('a folder is linked, written back with its conflict settled, and still linked after a reload', async ({
      page,
    }) => {
      await page.addInitScript(() => {
        const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('proj', { create: true })
        window.diskFile = async (name, text) => {
          const handle = await (await folder()).getFileHandle(name, { create: text !== undefined }).catch(() => null)
          if (!handle) return null
          if (text !== undefined) {
            const writable = await handle.createWritable()
            await writable.write(text)
            await writable.close()
          }
          return (await handle.getFile()).text()
        }
        Object.assign(window, { showDirectoryPicker: folder })
      })
      const panel = await openPanel(page)
      for (const [name, text] of [
        ['a.txt', 'one\n'],
        ['b.log', 'ignored\n'],
        ['.gitignore', '*.log\n'],
      ] as const) {
        await page.evaluate(([of, is]) => window.diskFile(of, is), [name, text] as const)
      }
      await panel.getByRole('button', { name: 'Upload', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Link a folder on this computer' }).click()
      const link = page.getByRole('dialog', { name: 'Link a folder on this computer' })
      await link.getByRole('button', { name: 'Choose a folder' }).click()
      await expect(link.getByRole('status')).toContainText('proj has 2 files')
      await inChinese(page, `folder-link-${look}`)
      // A phone that is turned moves the workspace into a sheet, and back.
      const size = page.viewportSize() ?? { width: 1280, height: 720 }
      for (const turned of [{ width: 390, height: 844 }, size]) {
        await page.setViewportSize(turned)
        await expect(link.getByRole('status')).toContainText('proj has 2 files')
        // It is still over everything else.
        await link.getByRole('button', { name: 'Link folder' }).hover()
      }
      await link.getByRole('button', { name: 'Link folder' }).click()
      const file = panel.getByRole('treeitem', { name: /^a\.txt/ })
      await expect(file).toBeVisible()
      await expect(panel.getByRole('treeitem', { name: /^b\.log/ })).toHaveCount(0)

      // Both sides change the file, and the copy also gets a new file.
      await panel.getByRole('treeitem', { name: 'proj' }).click()
      const upload = panel.getByLabel('Files to upload', { exact: true })
      const text = (name: string, of: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(of) })
      await upload.setInputFiles([text('a.txt', 'mine\n'), text('new.txt', 'new\n')])
      await panel.getByRole('button', { name: 'Replace instead' }).click()
      await expect(panel.getByRole('treeitem', { name: /^a 2\.txt/ })).toHaveCount(0)
      await page.evaluate(() => window.diskFile('a.txt', 'theirs\n'))

      await page.reload()
      // A sheet over the chat is closed by a reload, a panel beside it is not.
      if (look === 'darkPhone') await page.getByRole('button', { name: 'Workspace', exact: true }).click()
      const bar = panel.getByRole('region', { name: 'Linked folder proj' })
      await bar.getByRole('button', { name: 'Sync…' }).click()
      const sync = page.getByRole('dialog', { name: 'Sync proj' })
      await expect(sync.getByRole('group', { name: 'Change to a.txt in the copy' })).toContainText('mine')
      await expect(sync.getByRole('group', { name: 'Change to a.txt on disk' })).toContainText('theirs')
      await inChinese(page, `folder-sync-${look}`)
      await sync.getByRole('radio', { name: 'Keep both' }).click()
      await sync.getByRole('button', { name: 'Write 2 files to proj' }).click()
      await expect(sync.getByRole('status')).toHaveText('Wrote 2 files to proj.')
      await inChinese(page, `folder-written-${look}`)
      await sync.getByRole('button', { name: 'Compare again' }).click()
      await expect(sync.getByRole('status')).toHaveText('The copy and the folder on disk are the same.')
      const disk = (name: string) => page.evaluate((of) => window.diskFile(of), name)
      expect([await disk('a.txt'), await disk('a 2.txt'), await disk('new.txt')]).toEqual([
        'theirs\n',
        'mine\n',
        'new\n',
      ])
      await sync.getByRole('button', { name: 'Close' }).click()
    })
  })
}

test(
  'a folder on disk is linked by a drop, read again after a reload, and unlinked',
  { tag: '@nightly' },
  async ({ page, context }, info) => {
    const folder = path.join(info.outputDir, 'realproj')
    mkdirSync(path.join(folder, '.git'), { recursive: true })
    writeFileSync(path.join(folder, '.git', 'config'), 'x')
    writeFileSync(path.join(folder, 'plan.txt'), 'plan')
    const panel = await openPanel(page)
    const target = await panel.getByText('No files yet').boundingBox()
    const browser = await context.newCDPSession(page)
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await browser.send('Input.dispatchDragEvent', {
        type,
        x: (target?.x ?? 0) + 5,
        y: (target?.y ?? 0) + 5,
        data: { items: [], files: [path.resolve(folder)], dragOperationsMask: 1 },
      })
    }
    const link = page.getByRole('dialog', { name: 'Link a folder on this computer' })
    await expect(link.getByRole('status')).toContainText('realproj has 1 file')
    await link.getByRole('button', { name: 'Link folder' }).click()
    await expect(panel.getByRole('treeitem', { name: /^plan\.txt/ })).toBeVisible()
    writeFileSync(path.join(folder, 'plan.txt'), 'another plan')
    await page.reload()
    const bar = panel.getByRole('region', { name: 'Linked folder realproj' })
    await bar.getByRole('button', { name: 'Sync…' }).click()
    const sync = page.getByRole('dialog', { name: 'Sync realproj' })
    await sync.getByRole('button', { name: 'Copy 1 change from disk' }).click()
    await expect(sync.getByRole('status')).toHaveText('The copy and the folder on disk are the same.')
    await sync.getByRole('button', { name: 'Close' }).click()

    expect(readdirSync(folder).toSorted()).toEqual(['.git', 'plan.txt'])

    await bar.getByRole('button', { name: 'Unlink realproj' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink', exact: true }).click()
    await expect(bar).toHaveCount(0)
    await expect(panel.getByRole('treeitem', { name: /^plan\.txt/ })).toBeVisible()
  },
)
