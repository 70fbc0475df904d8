import { expect, test } from '@playwright/test'
import { ScriptedChat, write, xmlCall } from './support/scripted-chat'

test('files are edited, searched by a pattern, moved and deleted, each after a click', async ({ page }) => {
  const replies = [
    write('/notes/a.md', 'one\ntwo 22\nthree'),
    xmlCall('edit_file', { path: '/notes/a.md', edits: [{ search: 'two 22', replace: 'two 33' }] }),
    xmlCall('edit_file', { path: '/notes/a.md', edits: [{ search: 'two 23', replace: 'x' }] }),
    xmlCall('search_files', { query: 'two \\d+', regex: true }),
    xmlCall('search_files', { query: 'three' }),
    xmlCall('move_path', { from: '/notes/a.md', to: '/archive/b.md' }),
    xmlCall('delete_path', { path: '/archive' }),
    xmlCall('list_directory', { path: '/' }),
  ]
  const chat = await ScriptedChat.open(page, replies, { tools: { maxIterations: 10 } })
  await chat.begin()
  await chat.runThrough('write_file')
  await expect(chat.call('edit_file')).toContainText('two 33')
  await chat.runThrough('edit_file')

  // Text that can't be found is reported before the click.
  await expect(chat.call('edit_file')).toContainText('this would fail: the text to change is not in the file')
  await chat.runThrough('edit_file')
  expect(await chat.told(4)).toContain('two 33')

  await chat.runThrough('search_files')
  expect(await chat.told(5)).toContain('two 33')
  await chat.runThrough('search_files')
  expect(await chat.told(6)).toMatch(/"line":\s*3/)
  await chat.runThrough('move_path')
  await expect(chat.call('delete_path')).toContainText('1 file')
  await chat.runThrough('delete_path')
  await chat.runThrough('list_directory')
  const listed = await chat.told(9)
  expect(listed).not.toContain('archive')
})
