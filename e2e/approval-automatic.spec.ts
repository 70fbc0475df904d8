import { expect, test } from '@playwright/test'
import { canBeRemembered, choose, evaluate, list, press, read, ScriptedChat, write } from './support/scripted-chat'

// What may run without a click, and when that ends.

test('a folder and all below it: the next call there runs by itself; elsewhere, and once revoked, it asks', async ({
  page,
}) => {
  const chat = await ScriptedChat.open(page, [
    write('/notes/a.md', 'a'),
    write('/notes/deep/b.md', 'b'),
    write('/other/c.md', 'c'),
    write('/notes/d.md', 'd'),
  ])
  await chat.begin()
  await choose(chat.card('write_file'), 'Don’t ask again…', 'write_file in /notes and its subfolders')
  // The clicked card ran by that click.
  await expect(chat.card('write_file').first()).toContainText(
    'you pressed Run and allowed write_file in /notes and its subfolders for later replies',
  )
  const second = chat.card('write_file').nth(1)
  await expect(second).toContainText('ran automatically: you allowed write_file in /notes and its subfolders here')
  await expect(chat.call('write_file')).toContainText('/other/c.md')
  await chat.settled()

  const other = await chat.secondTab()
  await expect(other.card('write_file').nth(2)).toContainText('waiting for you')
  expect((await chat.view()).grants[0]).toMatchObject({
    scope: { kind: 'folder', folder: '/notes' },
    uses: 1,
    revokedAt: null,
  })
  await other.page.getByRole('button', { name: 'Chat settings' }).click()
  const settings = other.page.getByRole('dialog', { name: 'Chat settings' })
  await settings.getByRole('tab', { name: 'Approval' }).click()
  await press(settings, 'Revoke: write_file in /notes and its subfolders')
  await expect(settings).toContainText('No saved approvals.')
  await chat.runThrough('write_file')
  await expect(chat.call('write_file')).toContainText('/notes/d.md')
  await expect(chat.call('write_file')).toContainText('waiting for you')
  expect((await chat.view()).calls).toHaveLength(3)
  await chat.runThrough('write_file')
  await page.reload()
  await expect(second).toContainText('(revoked since)')
})

test('mode auto: a picked tool runs automatically, a sensitive one never; a reload starts nothing', async ({
  page,
}) => {
  const chat = await ScriptedChat.open(page, [list('/'), `${evaluate('6 * 7')}\n${list('/')}`, read('/a.md')], {
    tools: {
      mode: 'auto',
      toolRules: { list_directory: { execution: 'never' }, browser_js_eval: { execution: 'never' } },
    },
  })
  await chat.start()
  await expect(chat.card('list_directory')).toHaveCount(2)
  await expect(chat.card('list_directory').first()).toContainText(
    'ran automatically: list_directory runs without asking in this chat',
  )
  await expect(chat.card('list_directory').last()).toContainText('done')
  await expect(chat.call('browser_js_eval')).toContainText('waiting for you')
  expect(await canBeRemembered(chat.call('browser_js_eval'))).toBe(false)
  const { calls } = await chat.view()
  expect(calls.map(({ name, by }) => [name, by.kind])).toEqual([
    ['list_directory', 'auto'],
    ['list_directory', 'auto'],
  ])
  await chat.runThrough('browser_js_eval')
  await expect(chat.call('read_file')).toContainText('waiting for you')
})

test(
  'after a reload nothing runs automatically, whatever the settings are by then',
  { tag: '@nightly' },
  async ({ page }) => {
    const chat = await ScriptedChat.open(page, [`${list('/')}\n${read('/a.md')}\n${write('/x.md', 'x')}`])
    await chat.begin()
    await chat.changeTools({ mode: 'auto', toolRules: { list_directory: { execution: 'never' } } })
    await page.reload()
    await expect(chat.call('list_directory')).toContainText('waiting for you')
    // A click on another call completes, and this one still waits.
    await chat.run('read_file')
    await expect(chat.card('read_file')).toContainText('failed')
    await expect(chat.call('list_directory')).toContainText('waiting for you')
    expect((await chat.view()).calls.map(({ name }) => name)).toEqual(['read_file'])
  },
)

test('an approval is remembered for a call or a tool for an hour; never for code or while every call asks', async ({
  page,
}) => {
  // The page's clock is fixed; the server's keeps running.
  await page.clock.setFixedTime(Date.now())
  const chat = await ScriptedChat.open(
    page,
    [
      list('/'),
      `${list('/')}\n${list('/sub')}`,
      read('/b.md'),
      read('/c.md'),
      evaluate('1'),
      read('/d.md'),
      read('/e.md'),
    ],
    { tools: { grantLifetimeMs: 3_600_000, maxIterations: 9 } },
  )
  await chat.begin()
  await choose(chat.call('list_directory'), 'Don’t ask again…', 'exactly this call')
  await expect(chat.card('list_directory')).toHaveCount(3)
  await expect(chat.card('list_directory').nth(1)).toContainText(
    'ran automatically: you allowed exactly this call of list_directory here',
  )
  await chat.settled()
  await expect(chat.call('list_directory')).toContainText('/sub')
  await chat.runThrough('list_directory')
  await choose(chat.call('read_file'), 'Don’t ask again…', 'every read_file')
  await expect(chat.card('read_file')).toHaveCount(2)
  await expect(chat.card('read_file').last()).toContainText('ran automatically: you allowed every read_file here')
  await expect(chat.call('browser_js_eval')).toContainText('waiting for you')
  expect(await canBeRemembered(chat.call('browser_js_eval'))).toBe(false)

  const settings = page.getByRole('dialog', { name: 'Chat settings' })
  const openSettings = async () => {
    await page.getByRole('button', { name: 'Chat settings' }).click()
    await settings.getByRole('tab', { name: 'Approval' }).click()
  }
  const everyCall = settings.getByRole('switch', { name: 'Always ask before every call' })
  await openSettings()
  await expect(settings).toContainText('1 hour left')
  await everyCall.click()
  await expect(settings).toContainText('These do not apply while every call asks.')
  await page.keyboard.press('Escape')
  await chat.runThrough('browser_js_eval')
  await expect(chat.call('read_file')).toContainText('/d.md')
  await expect(chat.call('read_file')).toContainText('waiting for you')
  expect(await canBeRemembered(chat.call('read_file'))).toBe(false)

  // An hour later the remembered approval has expired.
  await page.clock.setFixedTime(Date.now() + 61 * 60_000)
  await openSettings()
  await everyCall.click()
  await expect(settings).toContainText('No saved approvals.')
  await settings.getByRole('tab', { name: 'Log and data' }).click()
  await settings.getByRole('button', { name: 'Chat log' }).click()
  const entries = page.getByRole('list', { name: 'Entries, newest last' })
  await expect(entries).toContainText('Runs without asking from now on, for 1 hour: all calls of read_file')
  await expect(entries).toContainText('Settings changed: ask before every call: on')
  await expect(entries).toContainText('Settings changed: ask before every call: off')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await chat.runThrough('read_file')
  await expect(chat.call('read_file')).toContainText('/e.md')
  await expect(chat.call('read_file')).toContainText('waiting for you')
  expect(await canBeRemembered(chat.call('read_file'))).toBe(true)
})

test(
  'mode auto: after several rounds without a message Nod asks; Continue works, also after a reload',
  { tag: '@nightly' },
  async ({ page }) => {
    const replies = [1, 2, 3, 4].map((round) => list(`/${round}`))
    const chat = await ScriptedChat.open(page, replies, {
      tools: { mode: 'auto', toolRules: { list_directory: { execution: 'never' } }, maxIterations: 2 },
    })
    await chat.start()
    const question = '2 tool rounds without a message from you. Continue? This runs list_directory'
    await expect(chat.log).toContainText(question)
    expect(await chat.sent()).toHaveLength(3)
    await expect((await chat.secondTab()).log).toContainText(question)
    await page.reload()
    await expect(chat.log).toContainText(question)
    expect((await chat.view()).calls).toHaveLength(2)
    await press(chat.log, 'Continue')
    // The held call runs, its result is sent, and the next round runs automatically again.
    expect(await chat.told(5)).toContain('/4')
    await expect(chat.replies().last()).toContainText('That is all.')
  },
)
