import { expect, test, type Locator, type Page } from '@playwright/test'
import { inspect } from './support/inspect'
import { looks, appearancesOf } from './support/appearances'
import { press, ScriptedChat, write, xmlCall } from './support/scripted-chat'

// File changes by calls can be undone: one call, in any order, or a whole part of the chat; and the files match the
// shown branch.

const edit = (path: string, search: string, replace: string) =>
  xmlCall('edit_file', { path, edits: [{ search, replace }] })

const replies = [
  write('/notes/a.md', 'one\ntwo\nthree\n'),
  write('/notes/b.md', 'b\n'),
  edit('/notes/a.md', 'two', '2'),
  'All is written.',
  write('/notes/c.md', 'c\n'),
  'That one too.',
]

class Workspace {
  readonly page: Page
  readonly panel: Locator

  constructor(page: Page) {
    this.page = page
    this.panel = page.getByRole('complementary', { name: 'Workspace' })
  }

  async open(): Promise<void> {
    await this.page.getByRole('button', { name: 'Workspace', exact: true }).click()
    await expect(this.panel).toBeVisible()
  }

  file(name: string): Locator {
    return this.panel.getByRole('treeitem', { name: new RegExp(`^${name}`) })
  }

  /** The newest change of a path comes first. */
  change(path: string): Locator {
    return this.panel.getByRole('group', { name: `Change: ${path}`, exact: true })
  }
}

async function threeCalls(page: Page): Promise<{ chat: ScriptedChat; files: Workspace }> {
  const chat = await ScriptedChat.open(page, replies, { tools: { maxIterations: 10 } })
  await chat.begin()
  await chat.runThrough('write_file')
  await chat.runThrough('write_file')
  await chat.runThrough('edit_file')
  return { chat, files: new Workspace(page) }
}

test('one call is undone and redone, then all in reverse, with a reload in between @nightly', async ({ page }) => {
  const { files } = await threeCalls(page)
  await files.open()
  const [edited, first] = [files.change('/notes/a.md').first(), files.change('/notes/a.md').last()]
  const middle = files.change('/notes/b.md')
  await expect(edited).toContainText('edit_file · +1 −1 lines')
  await expect(first).toContainText('write_file · new, +3 lines')
  await expect(files.panel.getByRole('group', { name: 'Change to /notes/a.md' })).toContainText('two')

  await press(middle, 'Undo')
  await expect(middle).toContainText('undone by you')
  await expect(files.file('b.md')).toHaveCount(0)
  await expect(files.file('a.md')).toContainText('12 B')
  await press(middle, 'Redo')
  await expect(files.file('b.md')).toBeVisible()

  await press(edited, 'Undo')
  await expect(files.file('a.md')).toContainText('14 B')
  await page.reload()
  await expect(edited).toContainText('undone by you')
  await press(middle, 'Undo')
  await press(first, 'Undo')
  await expect(files.panel.getByRole('treeitem')).toHaveCount(0)
  await press(edited, 'Redo')
  await expect(files.file('a.md')).toContainText('12 B')
  await press(first, 'Redo')
  await press(middle, 'Redo')
  await expect(files.file('b.md')).toBeVisible()
  await expect(files.file('a.md')).toContainText('12 B')
})

test('a card undoes its own call, says what stays, and the model can be told', async ({ page }) => {
  const { chat, files } = await threeCalls(page)
  await files.open()
  const card = chat.card('write_file', '/notes/a.md')
  await press(card, 'Undo')
  await expect(card).toContainText('/notes/a.md was not changed, because it was changed again later.')
  await expect(files.file('a.md')).toContainText('12 B')
  await press(card, 'Also undo later changes to it')
  await expect(files.file('a.md')).toHaveCount(0)
  await expect(card).toContainText('The model does not know yet that you undid this.')
  await press(card, 'Tell the model')
  await expect(chat.message).toHaveValue(/I undid what write_file did to \/notes\/a\.md/)
})

test('files follow the chat’s branch, and are carried over on request', async ({ page }) => {
  const { chat, files } = await threeCalls(page)
  await files.open()
  await chat.ask('more')
  await chat.runThrough('write_file')
  await expect(files.file('c.md')).toBeVisible()

  const asked = page.getByRole('article', { name: 'You' }).filter({ hasText: 'more' })
  await asked.hover()
  await press(asked, 'Edit')
  await page.getByRole('textbox', { name: 'Edited message' }).fill('more, but otherwise')
  await page.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('/notes/c.md was switched to this branch of the chat.')).toBeVisible()
  await expect(files.file('c.md')).toHaveCount(0)
  await expect(files.file('b.md')).toBeVisible()
  await chat.settled()
  await expect(files.panel.getByRole('button', { name: 'On other branches (1)' })).toBeVisible()

  await page.getByRole('button', { name: 'Previous branch' }).click()
  await expect(files.file('c.md')).toBeVisible()
  await page.getByRole('button', { name: 'Next branch' }).click()
  await expect(files.file('c.md')).toHaveCount(0)
  await page.getByRole('button', { name: 'Keep it as it was before' }).click()
  await expect(files.file('c.md')).toBeVisible()
  await expect(files.change('/notes/c.md').first()).toContainText('you kept files from another branch')
  await page.reload()
  await expect(files.file('c.md')).toBeVisible()
})

test('files and chat are restored to a message together, and forward again', async ({ page }) => {
  const { chat, files } = await threeCalls(page)
  await files.open()
  await chat.ask('more')
  await chat.runThrough('write_file')
  await expect(files.file('c.md')).toBeVisible()

  const asked = page.getByRole('article', { name: 'You' }).filter({ hasText: 'more' })
  await asked.hover()
  await press(asked, 'Restore to here')
  const dialog = page.getByRole('dialog', { name: 'Restore to this message' })
  await expect(dialog.getByRole('list', { name: 'Files that change' })).toHaveText(/\/notes\/c\.md\s*deleted/)
  await dialog.getByRole('radio', { name: 'Both' }).check()
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(files.file('c.md')).toHaveCount(0)
  await expect(asked).toHaveCount(0)
  await expect(chat.message).toHaveValue('more')

  // The chat also ends there after a reload, until it goes forward again.
  await page.reload()
  await expect(page.getByText('You went back to this message.')).toBeVisible()
  await expect(files.file('a.md')).toBeVisible()
  await expect(files.file('c.md')).toHaveCount(0)
  await page.getByRole('button', { name: 'Go to later messages' }).click()
  await expect(asked).toBeVisible()
  await expect(files.file('c.md')).toBeVisible()

  // The chat only: the files stay unchanged.
  await files.panel.getByRole('button', { name: 'Restore to a message' }).click()
  await dialog.getByRole('combobox', { name: 'Message' }).selectOption({ label: 'before you wrote “more”' })
  await dialog.getByRole('radio', { name: 'Chat' }).check()
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(asked).toHaveCount(0)
  await expect(files.file('c.md')).toBeVisible()
  await expect(files.change('/notes/c.md').first()).toContainText('you kept files from another branch')
})

for (const view of appearancesOf('dark', 'light', 'phone')) {
  test.describe(`changes, ${view}`, () => {
    test.use(looks[view])

    test(`changes and undo are legible and accessible (${view})`, { tag: '@nightly' }, async ({ page }) => {
      const { chat, files } = await threeCalls(page)
      await chat.ask('more')
      await chat.runThrough('write_file')
      const asked = page.getByRole('article', { name: 'You' }).filter({ hasText: 'more' })
      await asked.hover()
      await press(asked, 'Restore to here')
      const dialog = page.getByRole('dialog', { name: 'Restore to this message' })
      await expect(dialog.getByRole('list', { name: 'Files that change' })).toBeVisible()
      await expect(dialog).toHaveCSS('opacity', '1')
      await inspect(page, `restore-${view}`)
      await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
      await expect(page.getByText('You went back to this message.')).toBeVisible()
      const card = chat.card('write_file', '/notes/b.md')
      const undo = card.getByRole('button', { name: 'Undo', exact: true })
      if (!(await undo.isVisible())) await card.getByRole('button', { expanded: false }).first().click()
      await press(card, 'Undo')
      await expect(card).toContainText('The model does not know yet that you undid this.')
      await card.scrollIntoViewIfNeeded()
      await inspect(page, `undone-${view}`)
      await page.getByRole('button', { name: 'Go to later messages' }).click()
      await expect(page.getByText('/notes/c.md was switched to this branch of the chat.')).toBeVisible()
      await files.open()
      await expect(files.change('/notes/b.md')).toContainText('undone by you')
      await expect(files.change('/notes/c.md')).toBeVisible()
      await inspect(page, `changes-${view}`)
    })
  })
}
