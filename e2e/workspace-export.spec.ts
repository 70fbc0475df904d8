import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { appUrl } from './support/addresses'
import { Chat } from './support/chat'
import { inChinese } from './support/every-appearance'
import { inspect } from './support/inspect'
import { looks } from './support/appearances'
import { read, ScriptedChat, write } from './support/scripted-chat'

test('a chat with its files moves from one person to another, and waits there for clicks @nightly', async ({
  page,
  browser,
}) => {
  const replies = [write('/notes/a.md', 'one\ntwo\n'), read('/notes/a.md'), 'Done.']
  const chat = await ScriptedChat.open(page, replies)
  await chat.begin()
  await chat.runThrough('write_file')
  await expect(chat.call('read_file')).toBeVisible()

  await page.getByRole('button', { name: 'Chat settings', exact: true }).click()
  await page.getByRole('tab', { name: 'Log and data' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export everything', exact: true }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/\.nod\.zip$/)
  const buffer = await readFile(await file.path())
  const head = (await page.getByText(/^sha256:[0-9a-f]{64}$/).textContent()) ?? ''

  const context = await browser.newContext({ baseURL: appUrl })
  const there = new Chat(await context.newPage())
  await there.open()
  await checkRecord(there, buffer, head)
  await there.fromMenu('Import a chat')
  const dialog = there.page.getByRole('dialog', { name: 'Import a chat' })
  const input = dialog.getByLabel('Exported chat')
  await input.setInputFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from('PK and no zip') })
  await expect(dialog.getByRole('alert')).toBeVisible()
  await input.setInputFiles({ name: 'chat.nod.zip', mimeType: 'application/zip', buffer })
  await expect(dialog).toContainText('1 file (8 B)')
  await dialog.getByRole('checkbox', { name: 'Its model' }).check()
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog).toHaveCount(0)

  await expect(there.page).toHaveURL(/\/c\//)
  expect(there.page.url()).not.toContain(chat.id)
  await expect(there.page.getByText(/This chat was imported from a file on/)).toBeVisible()
  await expect(there.result('write_file')).toContainText('done')
  const waiting = there.call('read_file')
  await expect(waiting).toContainText('waiting for you')
  await expect(there.conversations.getByRole('link', { name: /Please begin/ })).toBeVisible()
  // Its files are here: the waiting call reads one.
  await there.runThrough('read_file')
  await expect.poll(async () => (await chat.sent()).at(-1)?.messages.at(-1)?.content ?? '').toContain('two')
  await there.page.reload()
  await expect(there.result('read_file')).toContainText('done')
  // The original is unchanged.
  await page.reload()
  await expect(chat.call('read_file')).toContainText('waiting for you')
  await context.close()
})

/** Written by the reader, and the names of files. */
const written = /Please begin|chat\.nod\.zip/

/** On the page that checks a record, which sends the server nothing of the file. */
async function checkRecord(chat: Chat, zip: Buffer, head: string): Promise<void> {
  const { page } = chat
  await chat.fromMenu('Check a record')
  const input = page.getByLabel('Exported chat or record')
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeEnabled()
  const told: string[] = []
  page.on('request', (request) => {
    const { length } = request.url()
    if (request.method() !== 'GET' || request.postData() !== null || length > 300) told.push(request.url())
  })
  await input.setInputFiles({ name: 'chat.nod.zip', mimeType: 'application/zip', buffer: zip })
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result.getByRole('status').first()).toHaveText(/^Intact: \d+ entries from/)
  await expect(result).toContainText('other files of the zip match the record')
  await page.getByLabel('Compare it with a hash that you kept').fill(head)
  await expect(result).toContainText('The hashes are equal')
  await inspect(page, 'verify-intact')
  await inChinese(page, 'verify-intact', written)

  // Changes one letter of a file's name, because only names are uncompressed in the zip.
  const other = Buffer.from(zip)
  const at = other.lastIndexOf('files/notes/a.md')
  other.write('files/notes/b.md', at)
  other.write('files/notes/b.md', other.indexOf('files/notes/a.md'))
  await input.setInputFiles({ name: 'other.nod.zip', mimeType: 'application/zip', buffer: other })
  await expect(result.getByRole('alert')).toContainText('other files of the zip do not match it')
  await expect(result).toContainText('files/notes/b.md')
  const wide = page.viewportSize()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(looks.darkPhone.viewport)
  await inspect(page, 'verify-changed')
  await inChinese(page, 'verify-changed', written)
  if (wide) await page.setViewportSize(wide)
  expect(told).toEqual([])
  await page.getByRole('link', { name: 'Back to the chat' }).click()
}
