import { expect, test } from '@playwright/test'
import { Chat } from './support/chat'
import { choose } from './support/scripted-chat'

test('deny tells the model why, and nothing ran', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.send('write /keep.md: new text')
  const call = chat.call('write_file')
  await choose(call, 'Deny with a reason…')
  await call.getByRole('textbox', { name: 'Reason' }).fill('Keep the old one until Friday.')
  await page.keyboard.press('Enter')
  await expect(chat.result('write_file')).toContainText('denied')
  await expect(chat.result('write_file')).toContainText('Keep the old one until Friday.')
  await expect(chat.replies().last()).toContainText('Keep the old one until Friday.')
  await chat.settled()
  await chat.send('list files /')
  await chat.runThrough('list_directory')
  await expect(chat.result('list_directory')).toContainText('done')
  await expect(chat.replies().last()).not.toContainText('keep.md')
})

test('several calls: run all, in order, one message returns all results', async ({ page }) => {
  const chat = new Chat(page)
  const posts: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/chat') && request.method() === 'POST') posts.push(request.postDataJSON())
  })
  await chat.open()
  await chat.send('several calls')
  await expect(page.getByText('3 calls are waiting for you').first()).toBeVisible()
  await page.getByRole('button', { name: 'Run all', exact: true }).dblclick()
  await expect(page.getByRole('group', { name: /^Tool result: / })).toHaveCount(3)
  await expect(chat.replies()).toHaveCount(2)
  await chat.settled()
  // One for the question, one for all results: a double click is one click.
  expect(posts).toHaveLength(2)
})

test('several calls: deny all', { tag: '@nightly' }, async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.send('several calls')
  await page.getByRole('button', { name: 'Deny all', exact: true }).click()
  await expect(page.getByRole('group', { name: /^Tool result: / }).filter({ hasText: 'denied' })).toHaveCount(3)
  await expect(chat.replies()).toHaveCount(2)
})

test('calls that can’t or must not run offer no Run: broken, quoted, unknown', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.send('a broken call')
  const broken = page.getByRole('group', { name: 'Broken tool call', exact: true })
  await expect(broken).toContainText('unreadable')
  await expect(broken.getByRole('button', { name: 'Run', exact: true })).toHaveCount(0)
  await chat.settled()
  await chat.ask('show an example in a code block')
  await expect(chat.log.getByText('example in a code block, not a call')).toBeVisible()
  await chat.send('call an unknown tool')
  await expect(chat.log.getByText('no such tool').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toHaveCount(0)
})

test('sending another message skips the waiting call and tells the model', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.ask('write /a.md: one')
  await expect(chat.call('write_file')).toBeVisible()
  await chat.send('list files /')
  await expect(chat.result('write_file')).toContainText('skipped')
  await expect(chat.call('list_directory')).toBeVisible()
})

test('one click in each of two tabs runs a call once', async ({ context, page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.ask('compute (globalThis.n = (globalThis.n ?? 0) + 1)')
  await expect(chat.call('browser_js_eval')).toBeVisible()
  const other = new Chat(await context.newPage())
  await other.open(page.url())
  await expect(other.call('browser_js_eval')).toBeVisible()
  let finished = 0
  const count = (method: string) => {
    if (method === 'PUT') finished += 1
  }
  for (const tab of [page, other.page]) {
    tab.on('request', (request) => request.url().endsWith('/calls') && count(request.method()))
  }
  // In the tab where the second click comes too late, the button is gone, because the first click's row has arrived.
  const clicks = [chat, other].map((tab) => tab.run('browser_js_eval').catch(() => undefined))
  await Promise.race(clicks)
  await expect(chat.result('browser_js_eval')).toContainText('done')
  await expect(other.result('browser_js_eval')).toContainText('done')
  await expect(chat.replies()).toHaveCount(2)
  await expect(other.replies()).toHaveCount(2)
  expect(finished).toBe(1)
})
