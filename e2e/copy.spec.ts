import { expect, test, type Locator, type Page } from '@playwright/test'
import { inChinese } from './support/every-appearance'
import { inspect } from './support/inspect'
import { looks, appearancesOf } from './support/appearances'
import { evaluate, press, read, ScriptedChat, write, xmlCall } from './support/scripted-chat'

// Work on a copy: from the second step on, a chat's calls run automatically on a copy of its files, and one decision at
// the end says what to keep.

const edit = (path: string, search: string, replace: string) =>
  xmlCall('edit_file', { path, edits: [{ search, replace }] })
const remove = (path: string) => xmlCall('delete_path', { path })
const ask = xmlCall('ask_user', { question: 'Which one?', choices: ['This', 'That'] })

const card = (page: Page): Locator => page.getByRole('region', { name: 'What this would change' })
const strip = (page: Page): Locator => page.getByRole('region', { name: 'The work on a copy' })

async function workspace(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Workspace', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Workspace' })
  await expect(panel.getByRole('button', { name: 'New file' })).toBeEnabled()
  return panel
}

/** Below the waiting cards. */
const offer = (page: Page): Locator => page.getByRole('group', { name: 'More steps to come?' })

/** The first step is an ordinary click; the second card offers the copy. */
async function begun(page: Page, replies: readonly string[]): Promise<ScriptedChat> {
  const chat = await ScriptedChat.open(page, [write('/notes/a.md', 'one\ntwo\n'), ...replies], {
    tools: { maxIterations: 10 },
  })
  await chat.begin()
  await expect(page.getByRole('button', { name: 'Work on a copy' })).toHaveCount(0)
  await chat.runThrough('write_file')
  return chat
}

for (const look of appearancesOf('light', 'dark', 'phone', 'darkPhone')) {
  test.describe(look, () => {
    test.use(looks[look])

    test('a task runs on a copy, survives a reload and a second tab, and is kept in part', async ({ page }) => {
      const chat = await begun(page, [
        write('/notes/b.md', 'b\n'),
        `${edit('/notes/a.md', 'two', '2')}\n${write('/site/page.html', '<p>hello</p>\n')}`,
        `${read('/notes/a.md')}\n${evaluate('6 * 7')}`,
        remove('/notes/b.md'),
        write('/notes/c.md', 'c\n'),
        'All is done.',
        'I see.',
      ])
      await expect(offer(page)).toContainText('You check every change at the end.')
      await expect(chat.call('write_file').locator('button:visible')).toHaveText([/^Run/, 'Edit', /^Deny/, ''])
      await inspect(page, `copy-offer-${look}`)
      await press(offer(page), 'Work on a copy')
      await expect(card(page)).toContainText('Your files have not changed yet.')
      await expect(card(page)).toContainText('1 file changed, 2 new')
      await chat.settled()
      await inspect(page, `copy-end-${look}`)
      await inChinese(page, `copy-end-${look}`, /./)
      await press(card(page), 'a.md')
      await expect(card(page)).toContainText('two')
      const { calls, grants } = await chat.view()
      expect(calls.map(({ by }) => by.kind).toSorted()).toEqual(['click', 'click', ...Array<string>(6).fill('grant')])
      expect(grants).toMatchObject([{ scope: { kind: 'copy' }, uses: 6, revokedAt: null }])

      await page.reload()
      await expect(card(page)).toContainText('1 file changed, 2 new')
      const other = await chat.secondTab()
      await expect(card(other.page)).toContainText('1 file changed, 2 new')
      await other.page.close()

      await press(card(page), 'Keep some…')
      await card(page).getByRole('checkbox', { name: 'Keep /notes/a.md' }).check()
      await inspect(page, `copy-some-${look}`)
      await press(card(page), 'Keep 1 file')
      await expect(card(page)).toHaveCount(0)
      await chat.ask('Thank you')
      const told = await chat.told(8)
      expect(told).toContain('The user kept the changes of one file and discarded those of 2 files')
      expect(told).toContain('"/notes/c.md", "/site/page.html"')
      const panel = await workspace(page)
      await expect(panel.getByRole('treeitem', { name: /^a\.md/ })).toContainText('6 B')
      await expect(panel.getByRole('treeitem', { name: /^(b|c)\.md|^site/ })).toHaveCount(0)
      await press(panel.getByRole('group', { name: 'Change: /notes/a.md', exact: true }).first(), 'Undo')
      await expect(panel.getByRole('treeitem', { name: /^a\.md/ })).toContainText('8 B')
    })
  })
}

test('a copy chosen with the message begins with its first call, and only for that message', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [
    write('/notes/a.md', 'one\ntwo\n'),
    edit('/notes/a.md', 'two', '2'),
    'All is done.',
    write('/notes/b.md', 'b\n'),
  ])
  const sentence = page.getByText('This message works on a copy of your files.')
  await page.getByRole('button', { name: 'More for this message', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Work on a copy' }).click()
  await expect(sentence).toBeVisible()
  await inspect(page, 'copy-chosen')
  await page.reload()
  await expect(sentence).toBeVisible()
  await chat.start()
  await expect(card(page)).toContainText('1 new')
  await expect(sentence).toHaveCount(0)
  await page.reload()
  await expect(card(page)).toContainText('1 new')
  const { calls, grants } = await chat.view()
  expect(calls.map(({ by }) => by.kind)).toEqual(['grant', 'grant'])
  expect(grants.map(({ scope }) => scope)).toEqual([{ kind: 'copy', chosen: true }])
  await press(card(page), 'Keep all')
  await expect(card(page)).toHaveCount(0)
  await chat.ask('And one more')
  await expect(chat.call('write_file')).toContainText('/notes/b.md')
  const panel = await workspace(page)
  await expect(panel.getByRole('treeitem', { name: /^a\.md/ })).toContainText('6 B')
  await expect(panel.getByRole('treeitem', { name: /^b\.md/ })).toHaveCount(0)
})

test(
  'calls that ask still ask, the chat continues, and a discarded copy leaves the files unchanged',
  { tag: '@nightly' },
  async ({ page }) => {
    const chat = await begun(page, [
      `${remove('/notes/a.md')}\n${write('/notes/b.md', 'b\n')}`,
      ask,
      'Done so far.',
      write('/notes/d.md', 'd\n'),
      'Now all is done.',
      'I understand.',
    ])
    await press(offer(page), 'Work on a copy')
    const question = chat.call('ask_user')
    await expect(question).toContainText('Which one?')
    await expect(strip(page)).toContainText('1 new')
    await inspect(page, 'copy-work')
    await question.getByRole('radio', { name: 'This', exact: true }).check()
    await page.keyboard.press('Control+Enter')
    await expect(card(page)).toContainText('1 new, 1 deleted')
    await expect(card(page)).toContainText('Check these first')
    await press(card(page), 'Continue')
    await expect(strip(page)).toContainText('On a copy')
    await chat.send('And one more')
    await expect(card(page)).toContainText('2 new, 1 deleted')

    const panel = await workspace(page)
    await expect(panel.getByRole('treeitem', { name: /^a\.md/ })).toContainText('8 B')
    await press(card(page), 'Discard')
    await expect(card(page)).toContainText('Discard 3 changes?')
    await press(card(page), 'Discard')
    await expect(card(page)).toHaveCount(0)
    await expect(panel.getByRole('treeitem', { name: /^(b|d)\.md/ })).toHaveCount(0)
    await expect(panel.getByRole('treeitem', { name: /^a\.md/ })).toContainText('8 B')
    await chat.ask('Never mind')
    expect(await chat.told(7)).toContain('The user discarded the copy. All files are as they were before it.')
  },
)

test('after one Keep such changes are kept without asking, and a task beyond the limits waits with its changes', async ({
  page,
}) => {
  const chat = await begun(page, [
    write('/notes/b.md', 'b\n'),
    'The first is done.',
    write('/notes/c.md', 'c\n'),
    edit('/notes/a.md', 'two', '2'),
    'The second is done.',
    `${write('/site/page.html', '<p>hello</p>\n')}\n${remove('/notes/b.md')}`,
    'The third is done.',
  ])
  await press(offer(page), 'Work on a copy')
  await press(card(page), 'Keep all')
  const always = page.getByRole('region', { name: 'Keep such changes without asking?' })
  await expect(always).toContainText('no deletions, up to 3 files and 10 KB per task, 10 times, until tonight')
  await press(always, 'Change…')
  await inspect(page, 'copy-grant')
  await press(always, 'Keep without asking')
  await expect(always).toHaveCount(0)

  await chat.send('The second task')
  const note = page.getByRole('status').filter({ hasText: 'Your saved approval kept' })
  await expect(note).toContainText('Your saved approval kept the changes of 2 files (task 1 of 10)')
  await expect(card(page)).toHaveCount(0)
  await inspect(page, 'copy-kept')
  const panel = await workspace(page)
  await expect(panel.getByRole('treeitem', { name: /^c\.md/ })).toBeVisible()
  await expect(panel.getByRole('treeitem', { name: /^a\.md/ })).toContainText('6 B')

  await chat.send('The third task')
  await expect(card(page)).toContainText('Your saved approval does not cover this:')
  await expect(card(page)).toContainText('/notes/b.md is deleted.')
  await expect(card(page)).toContainText('/site/page.html is outside its folders.')
  await inspect(page, 'copy-beyond')
  await expect(panel.getByRole('treeitem', { name: /^b\.md/ })).toBeVisible()
  await page.reload()
  await expect(card(page)).toContainText('/notes/b.md is deleted.')
  const { grants, calls } = await chat.view()
  expect(grants.map(({ scope, uses }) => [scope.kind, uses])).toEqual([
    ['copy', 0],
    ['effects', 1],
    ['copy', 2],
    ['copy', 2],
  ])
  expect(calls.map(({ by }) => by.kind).toSorted()).toEqual(['click', 'click', 'grant', 'grant', 'grant', 'grant'])
  await press(card(page), 'Keep all')
  await expect(card(page)).toHaveCount(0)
})
