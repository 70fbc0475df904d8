import { expect, test } from '@playwright/test'
import { choose, read, ScriptedChat, write, xmlCall } from './support/scripted-chat'

const lines = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta']
const edits = [
  { search: 'alpha', replace: 'ALPHA' },
  { search: 'zeta', replace: 'ZETA' },
]

test('a change is shown on the current files and taken in parts, and the model learns what really ran', async ({
  page,
}) => {
  const chat = await ScriptedChat.open(page, [
    write('/a.md', lines.join('\n')),
    xmlCall('edit_file', { path: '/a.md', edits }),
    read('/a.md'),
    'All done.',
  ])
  await chat.begin()
  await chat.runThrough('write_file')
  const card = chat.call('edit_file')
  await expect(card.getByRole('group', { name: 'Change to /a.md' })).toContainText('ZETA')
  await choose(card, 'Choose changes…')
  await card.getByRole('checkbox', { name: 'Change 2 of 2' }).click()
  await expect(card).toContainText('1 of 2 changes')
  await expect(card).toContainText('You changed')

  // The choice is stored: another tab shows it too, and can undo it.
  const second = await chat.secondTab()
  const there = second.call('edit_file').getByRole('checkbox', { name: 'Not used: change 2 of 2' })
  await expect(there).not.toBeChecked()
  await second.page.close()

  await chat.runThrough('edit_file')
  expect(await chat.told(3)).toContain('changed')
  await chat.runThrough('read_file')
  const told = await chat.told(4)
  expect(told).toContain('ALPHA')
  expect(told).not.toContain('ZETA')
})

test(
  'deleted or moved files are listed, and a card follows the files that other calls change',
  { tag: '@nightly' },
  async ({ page }) => {
    const chat = await ScriptedChat.open(page, [
      [write('/notes/a.md', 'one'), write('/notes/deep/b.md', 'two')].join('\n'),
      [
        write('/notes/a.md', 'one and more'),
        xmlCall('move_path', { from: '/notes', to: '/archive' }),
        xmlCall('delete_path', { path: '/notes' }),
      ].join('\n'),
      'All done.',
    ])
    await chat.begin()
    await page.getByRole('button', { name: 'Run all' }).click()
    const moving = chat.call('move_path').getByRole('list', { name: 'Files to move' })
    await expect(moving.getByRole('listitem')).toHaveCount(2)
    await expect(moving).toContainText('/notes/deep/b.md → /archive/deep/b.md')
    await expect(chat.call('delete_path')).toContainText('2 files, 6 B')

    await chat.run('write_file')
    await expect(chat.call('delete_path')).toContainText('2 files, 15 B')
    await expect(chat.call('delete_path')).toContainText('The files changed while this waited')
    // A click right after the card changed under the pointer is refused, and a second one runs it.
    await expect(async () => {
      await chat.run('move_path')
      await expect(chat.result('move_path')).toBeVisible({ timeout: 2_000 })
    }).toPass()
    await expect(chat.call('delete_path')).toContainText('It does not exist, so this would fail')
  },
)
