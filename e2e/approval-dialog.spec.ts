import { expect, test } from '@playwright/test'
import { choose, list, press, read, ScriptedChat, write, xmlCall } from './support/scripted-chat'
import { inspect } from './support/inspect'

test('asked in a dialog: run, deny with a reason, withhold a result, later', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [`${write('/a.md', 'a secret')}\n${list('/')}`, read('/a.md'), 'Done.'], {
    tools: { approvalUi: 'dialog', toolRules: { read_file: { result: 'always' } } },
  })
  await chat.begin()
  const first = page.getByRole('dialog', { name: 'Run write_file?' })
  await expect(first).toContainText('1 more after this')
  await inspect(page, 'approval-dialog')
  await page.keyboard.press('Escape')

  // Later: the card keeps waiting, and the next question is shown.
  const second = page.getByRole('dialog', { name: 'Run list_directory?' })
  await choose(second, 'Deny with a reason…')
  await second.getByRole('textbox', { name: 'Reason' }).fill('Not the whole folder.')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(chat.call('write_file')).toContainText('waiting for you')
  await chat.runThrough('write_file')

  const third = page.getByRole('dialog', { name: 'Run read_file?' })
  await third.getByRole('button', { name: 'Run', exact: true }).click()
  const gate = page.getByRole('dialog', { name: 'Send the result of read_file?' })
  await expect(gate).toContainText('a secret')
  await press(gate, 'Don’t send')
  const last = await chat.told(3)
  expect(last).not.toContain('a secret')
  await expect(chat.card('read_file')).toContainText('result not sent')
})

test('a call of an unknown tool can be denied, and the model gets the reason', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [xmlCall('readfile_now', { path: '/a.md' }), 'Sorry.'])
  await chat.begin()
  const card = chat.call('readfile_now')
  await expect(card).toContainText('no such tool')
  await card.focus()
  await page.keyboard.press('r')
  await card.getByRole('textbox', { name: 'Reason' }).fill('Use words.')
  await page.keyboard.press('Enter')
  expect(await chat.told(2)).toContain('Use words.')
  await page.reload()
  await expect(chat.card('readfile_now')).toContainText('denied')
})
