import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

/** The panel as a user knows it. */
class Workspace {
  readonly page: Page
  readonly panel: Locator
  readonly tree: Locator

  constructor(page: Page) {
    this.page = page
    this.panel = page.getByRole('complementary', { name: 'Workspace', exact: true })
    this.tree = this.panel.getByRole('tree', { name: 'Files', exact: true })
  }

  /** A stored chat with an open panel. */
  static async open(page: Page): Promise<Workspace> {
    const chat = new Chat(page)
    await chat.open()
    await chat.ask('Hello')
    const workspace = new Workspace(page)
    await page.keyboard.press('Control+Shift+E')
    await expect(workspace.panel).toBeVisible()
    return workspace
  }

  item(name: string | RegExp): Locator {
    return this.tree.getByRole('treeitem', { name })
  }

  async upload(...files: readonly ReturnType<typeof file>[]): Promise<void> {
    await this.panel.getByLabel('Files to upload', { exact: true }).setInputFiles([...files])
    await expect(this.panel.getByRole('status').filter({ hasText: 'Uploaded' })).toBeVisible()
  }

  async menu(button: 'New file' | 'Upload', item: string): Promise<void> {
    await this.panel.getByRole('button', { name: button, exact: true }).click()
    await this.page.getByRole('menuitem', { name: item, exact: true }).click()
  }
}

test('files are uploaded, created, renamed, moved and deleted by key and by pointer, and deletions are undone @nightly', async ({
  page,
}) => {
  const files = await Workspace.open(page)
  await expect(files.panel.getByText('No files yet')).toBeVisible()
  await files.upload(file('june.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'), file('a.md', '# A'))
  await expect(files.item(/^a\.md/)).toHaveAttribute('aria-selected', 'true')

  // A file with an existing name gets a free one, or can replace the old one.
  await files.upload(file('a.md', '# A, second'))
  await expect(files.item(/^a 2\.md/)).toBeVisible()
  await files.panel.getByRole('button', { name: 'Replace instead' }).click()
  await expect(files.item(/^a 2\.md/)).toHaveCount(0)

  await files.tree.focus()
  await page.keyboard.press('End')
  await files.menu('New file', 'New folder')
  await page.keyboard.type('notes')
  await page.keyboard.press('Enter')
  await expect(files.item('notes')).toHaveAttribute('aria-selected', 'true')

  await files.tree.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('F2')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('july.svg')
  await page.keyboard.press('Enter')
  await expect(files.item(/^july\.svg/)).toHaveAttribute('aria-selected', 'true')

  // By the menu, then by dragging.
  await files.tree.focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  await page.getByRole('listbox', { name: 'Folder' }).selectOption('/notes')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(files.item(/^july\.svg/)).toHaveAttribute('aria-level', '2')
  await files.item(/^a\.md/).dragTo(files.item('notes'))
  await expect(files.item(/^a\.md/)).toHaveAttribute('aria-level', '2')

  // One file is deleted immediately, and restored; a folder asks.
  await files.item(/^july\.svg/).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(files.item(/^july\.svg/)).toHaveCount(0)
  await files.panel.getByRole('status').getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(files.item(/^july\.svg/)).toBeVisible()
  await files.tree.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  const question = page.getByRole('dialog', { name: 'Delete /notes?' })
  await expect(question).toContainText('2 files')
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(files.panel.getByText('No files yet')).toBeVisible()
})

test('a folder is uploaded whole; files survive a reload and are seen by another tab', async ({
  page,
  context,
}, info) => {
  const folder = path.join(info.outputDir, 'trip')
  mkdirSync(path.join(folder, 'day one'), { recursive: true })
  writeFileSync(path.join(folder, 'plan.txt'), 'plan')
  writeFileSync(path.join(folder, 'day one', 'map.txt'), 'map')
  const files = await Workspace.open(page)
  await files.panel.getByLabel('Folder to upload', { exact: true }).setInputFiles(folder)
  await expect(files.item('trip')).toBeVisible()
  await expect(files.item(/^map\.txt/)).toHaveAttribute('aria-level', '3')

  await page.reload()
  await expect(files.item(/^map\.txt/)).toBeVisible()

  const other = new Workspace(await context.newPage())
  await other.page.goto(page.url())
  await expect(other.item(/^map\.txt/)).toBeVisible()
  await files.upload(file('third.txt', '3'))
  await expect(other.item(/^third\.txt/)).toBeVisible()
  await other.item(/^third\.txt/).click({ button: 'right' })
  await other.page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(files.item(/^third\.txt/)).toHaveCount(0)
})

test('ten thousand files scroll, and only some rows are in the page', { tag: '@nightly' }, async ({ page }) => {
  const files = await Workspace.open(page)
  const many = Array.from({ length: 10_000 }, (_, index) => file(`f${String(index).padStart(5, '0')}.txt`, `${index}`))
  await files.panel.getByLabel('Files to upload', { exact: true }).setInputFiles(many)
  await expect(files.item(/^f00000/)).toHaveAttribute('aria-setsize', '10000', { timeout: 40_000 })
  expect(await files.tree.getByRole('treeitem').count()).toBeLessThan(80)
  await files.tree.focus()
  await page.keyboard.press('End')
  await expect(files.item(/^f09999/)).toBeInViewport()
  await page.keyboard.type('f05')
  await expect(files.item(/^f05000/)).toBeInViewport()

  // Frames while scrolling.
  const slowest = await files.tree.evaluate(async (tree) => {
    const gaps: number[] = []
    let last = performance.now()
    for (let step = 0; step < 60; step++) {
      tree.scrollTop += 500
      await new Promise((resolve) => requestAnimationFrame(resolve))
      gaps.push(performance.now() - last)
      last = performance.now()
    }
    return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0
  })
  console.log(`median frame while scrolling 10,000 lines: ${slowest.toFixed(1)} ms`)
  expect(slowest).toBeLessThan(100)
})

test(
  'the panel looks right and has no accessibility violation, in light and dark, open file and menu',
  { tag: '@nightly' },
  async ({ page }) => {
    const files = await Workspace.open(page)
    await inspect(page, 'workspace-empty')
    await files.upload(
      file('june.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
      file('a.md', '# Notes\n\nFigures.'),
    )
    await inspect(page, 'workspace-light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await inspect(page, 'workspace-dark')
    await files.item(/^a\.md/).click({ button: 'right' })
    await inspect(page, 'workspace-menu')
    await page.keyboard.press('Escape')
    await files.panel.getByRole('button', { name: /of 500 MB/ }).click()
    await expect(files.panel.getByText('in this browser only')).toBeVisible()
    await inspect(page, 'workspace-storage')
    await files.item(/^a\.md/).click()
    await expect(files.panel.getByRole('button', { name: 'Back to files' })).toBeVisible()
    await inspect(page, 'workspace-file')

    await page.keyboard.press('Control+Shift+E')
    await expect(files.panel).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Workspace', exact: true })).toBeFocused()
  },
)

test.describe('on a phone', { tag: '@nightly' }, () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the workspace is a sheet; a tap opens a file, the dots open its menu', async ({ page }) => {
    const chat = new Chat(page)
    await chat.open()
    const button = page.getByRole('button', { name: 'Workspace', exact: true })
    await button.tap()
    const files = new Workspace(page)
    await files.upload(file('a.md', '# A\n\nWords.'), file('b-with-a-name-that-is-far-too-long-for-a-phone.md', 'b'))
    await inspect(page, 'workspace-phone')
    await files
      .item(/^a\.md/)
      .getByRole('button', { name: 'More for a.md' })
      .tap()
    await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
    await page.keyboard.press('Escape')
    await files.item(/^a\.md/).tap()
    await expect(files.tree).toBeHidden()
    await expect(files.panel.getByRole('button', { name: 'Back to files' })).toBeVisible()
    await inspect(page, 'workspace-phone-file')
    await files.panel.getByRole('button', { name: 'Back to files' }).tap()
    await expect(files.tree).toBeVisible()
    await files.panel.getByRole('button', { name: 'Close workspace' }).tap()
    await expect(files.panel).toHaveCount(0)
    await expect(button).toBeFocused()
  })
})
