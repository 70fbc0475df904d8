import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { appUrl } from './support/addresses'
import { evaluate, otherProfile, press, read, ScriptedChat, write } from './support/scripted-chat'

/** The address of the server under test (`playwright.config.ts`). */
const dataDir = '.cache/e2e-data'

// Values that must stay in the browser. The test searches each request and the database for them.

const key = ['sk-ant-', 'api03-', 'zQ3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zB'].join('')
const mail = 'grace.hopper@ships.example'

/** Makes a file whose values appear nowhere in the chat. */
const makeFile = evaluate(
  `await fs.writeFile('/.env', ['KEY=' + ['sk-ant-', 'api03-', 'zQ3dE5gH7jK9mN1p', 'Q2rS4tU6vW8xY0zB'].join(''), 'OWNER=' + ['grace.hopper', 'ships.example'].join('@')].join('\\n')); 'made'`,
)

test('a key is replaced with one press, used again by its placeholder, and never leaves the browser', async ({
  page,
  context,
}) => {
  const requests: string[] = []
  context.on('request', (request) => void requests.push(`${request.url()} ${request.postData() ?? ''}`))
  const chat = await ScriptedChat.open(
    page,
    [
      makeFile,
      read('/.env'),
      write('/copy.env', 'key: ⟦secret-1⟧, owner: ⟦secret-2⟧'),
      read('/copy.env'),
      evaluate('return ["⟦secret-1⟧".length, btoa("⟦secret-1⟧"), "⟦secret-7⟧"]'),
      'Done.',
    ],
    { tools: { resultGate: 'always' } },
  )
  await chat.begin()
  await chat.run('browser_js_eval')
  await press(chat.result('browser_js_eval'), 'Send result')

  // The card lists the values, also after a reload. One press sends the result with placeholders.
  await chat.run('read_file')
  const found = chat.result('read_file')
  await expect(found).toContainText('2 values stay in this browser. The model gets their placeholders.')
  await page.reload()
  await expect(found.getByRole('checkbox', { name: `⟦secret-1⟧ key or token ${key}` })).toBeChecked()
  await expect(found.getByRole('checkbox', { name: `⟦secret-2⟧ email address ${mail}` })).toBeChecked()
  await press(found, 'Send result')
  const told = await chat.told(3)
  expect(told).toContain('KEY=⟦secret-1⟧')
  expect(told).toContain('stays in the user’s browser')

  // The card shows the values behind the placeholders, also after a reload.
  const waiting = chat.call('write_file')
  await page.reload()
  await expect(waiting.getByRole('note')).toContainText(`⟦secret-1⟧ key or token ${key}`)
  await expect(waiting.getByRole('note')).toContainText('They stay in this browser.')

  // Another browser of the same user does not have the values, and says so.
  const elsewhere = await otherProfile(context)
  const other = await chat.in(await elsewhere.newPage())
  await expect(other.call('write_file')).toContainText('⟦secret-1⟧ has no value in this browser')
  await elsewhere.close()

  await chat.run('write_file')
  await press(chat.result('write_file'), 'Send result')
  await chat.run('read_file')
  const again = chat.result('read_file').last()
  await expect(again).toContainText('key: ⟦secret-1⟧, owner: ⟦secret-2⟧')
  await press(again, 'Send result')

  // A placeholder with an unknown number causes an error and is never sent as text.
  const unknown = chat.call('browser_js_eval').last()
  await expect(unknown).toContainText('⟦secret-7⟧ has no value in this browser')
  await unknown.focus()
  await unknown.press('Control+Enter')
  await expect(unknown.getByRole('alert')).toContainText('⟦secret-7⟧ has no value in this browser')
  await press(unknown, 'Deny')
  await chat.settled()

  // Decisions on cards are counted in this browser only.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('nod:attention'))).toContain('isApproval')
  const exported = await page.request.get(`${appUrl}/api/conversations/${chat.id}/export`)
  const rows = readdirSync(dataDir)
    .filter((name) => name.includes('sqlite'))
    .map((name) => readFileSync(join(dataDir, name), 'latin1'))
  const told2 = JSON.stringify(await chat.sent())
  for (const text of [...requests, ...rows, told2, await exported.text()]) {
    for (const value of [key, mail, btoa(key), 'zQ3dE5gH7jK9mN1pQ2rS4tU6', 'isApproval'])
      expect(text.includes(value)).toBe(false)
  }
  expect(await exported.text()).toContain('⟦secret-1⟧')
})
