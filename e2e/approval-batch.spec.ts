import { expect, test } from '@playwright/test'
import { evaluate, list, press, read, ScriptedChat, write } from './support/scripted-chat'

// Several calls of one reply, and a model that repeats itself.

const three = [write('/one.md', '1'), write('/two.md', '2'), write('/three.md', '3')].join('\n')

test('select, reorder, run the selected calls in that order, deny the rest; one message returns all results', async ({
  page,
}) => {
  const chat = await ScriptedChat.open(page, [three])
  await chat.begin()
  const bar = page.getByRole('group', { name: '3 calls are waiting for you' })
  await press(bar, 'Select')
  await page.getByRole('checkbox', { name: 'Select write_file, number 2 of 3' }).uncheck()
  await press(chat.card('write_file', '/three.md'), 'Run write_file earlier')
  await press(chat.card('write_file', '/three.md'), 'Run write_file earlier')
  await expect(page.getByRole('checkbox', { name: 'Select write_file, number 3 of 3' })).not.toBeChecked()
  await press(bar, 'Run selected')
  await expect(chat.card('write_file', '/three.md')).toContainText('done')
  await expect(chat.card('write_file', '/one.md')).toContainText('done')
  await expect(chat.card('write_file', '/two.md')).toContainText('waiting for you')
  const { calls } = await chat.view()
  expect(calls.toSorted((a, b) => a.decidedAt - b.decidedAt).map(({ slot }) => slot)).toEqual([2, 0])
  await page.reload()
  await press(chat.card('write_file', '/two.md'), 'Deny')
  const told = await chat.told(2)
  expect(told.indexOf('/one.md')).toBeLessThan(told.indexOf('The user denied this call.'))
  expect(told).toContain('/three.md')
})

const failing = [write('/one.md', '1'), read('/missing.md'), write('/two.md', '2'), write('/three.md', '3')].join('\n')

async function stopAtFailure(chat: ScriptedChat) {
  await chat.begin()
  await press(chat.page.getByRole('group', { name: '4 calls are waiting for you' }), 'Run all')
  await expect(chat.card('read_file')).toContainText('failed')
  await expect(chat.card('write_file', '/two.md')).toContainText('waiting for you')
  const bar = chat.page.getByRole('group', { name: '2 calls are waiting for you' })
  await expect(bar).toContainText('read_file failed.')
  return bar
}

test('a batch stops at the first failure; a reload keeps that; Continue runs the others', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [failing])
  const bar = await stopAtFailure(chat)
  await page.reload()
  await press(bar, 'Continue')
  await expect(chat.card('write_file', '/three.md')).toContainText('done')
  expect(await chat.told(2)).toContain('/three.md')
})

test(
  'a batch stopped at a failure: Skip leaves the next call out, and Send what is done sends the rest',
  { tag: '@nightly' },
  async ({ page }) => {
    const chat = await ScriptedChat.open(page, [failing])
    const bar = await stopAtFailure(chat)
    await press(bar, 'Skip')
    await expect(chat.card('write_file', '/two.md')).toContainText('skipped')
    await page.reload()
    await expect(chat.card('write_file', '/two.md')).toContainText('skipped')
    await expect(chat.card('write_file', '/three.md')).toContainText('waiting for you')
    await chat
      .secondTab()
      .then((other) => expect(other.card('write_file', '/three.md')).toContainText('waiting for you'))
    await press(page.getByRole('group', { name: '1 call is waiting for you' }), 'Send finished results')
    const told = await chat.told(2)
    expect(told.match(/The user left this call out/g)).toHaveLength(2)
    expect((await chat.view()).calls.filter(({ decision }) => decision === 'run')).toHaveLength(2)
  },
)

test('a message instead of a decision skips waiting calls and keeps held results; the model is informed', async ({
  page,
}) => {
  const chat = await ScriptedChat.open(page, [three, 'Very well.'], { tools: { resultGate: 'always' } })
  await chat.begin()
  await press(chat.card('write_file', '/one.md'), 'Run')
  await expect(chat.card('write_file', '/one.md')).toContainText('result needs review')
  await chat.ask('Something else, please.')
  const told = await chat.told(2)
  expect(told.match(/The user wrote something else instead of running this call/g)).toHaveLength(2)
  expect(told).toContain('It ran, but its result was not sent: the user wrote something else.')
  expect(told).toContain('Something else, please.')
  await page.reload()
  await expect(page.getByRole('group', { name: 'Tool result: write_file' }).filter({ hasText: 'skipped' })).toHaveCount(
    2,
  )
  await expect(page.getByRole('button', { name: /^(Run|Send result|Send anyway)$/ })).toHaveCount(0)
})

test('a repeated call: a warning from the third on, and its own click from the fifth on', async ({ page }) => {
  const rounds = [1, 2, 3].map((round) => `Round ${round}.\n${list('/')}`)
  const chat = await ScriptedChat.open(page, [...rounds, list('/'), `${list('/')}\n${write('/x.md', 'x')}`], {
    tools: { mode: 'auto', toolRules: { list_directory: { execution: 'never' } }, maxIterations: 50 },
  })
  await chat.start()
  // Four rounds run automatically, the fifth waits.
  await expect(chat.card('list_directory')).toHaveCount(5)
  await expect(chat.call('list_directory')).toContainText('The model has requested this five times.')
  await expect(chat.call('list_directory')).toContainText('You can only run it from this card.')
  await expect(page.getByText('Run all skips 1 call that was repeated five times.')).toBeVisible()
  const batch = page.getByRole('group', { name: '2 calls are waiting for you' })
  await press(batch, 'Run all')
  await expect(chat.card('write_file')).toContainText('done')
  await expect(batch).toHaveCount(0)
  // By key: the cards still move, and a mouse press at that moment would miss the button.
  await expect(chat.call('list_directory').getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
  await chat.call('list_directory').getByRole('button', { name: 'Run', exact: true }).press('Enter')
  await chat.told(6)
})

test('the third time shows an amber warning, and a click still runs it', { tag: '@nightly' }, async ({ page }) => {
  const chat = await ScriptedChat.open(page, [list('/'), list('/'), list('/')])
  await chat.begin()
  await chat.runThrough('list_directory')
  await expect(chat.call('list_directory')).not.toContainText('has requested this')
  await chat.runThrough('list_directory')
  await expect(chat.call('list_directory')).toContainText('The model has requested this three times.')
  await chat.runThrough('list_directory')
  await expect(chat.replies().last()).toContainText('That is all.')
})

test('after several rounds without a message Nod asks; Continue works, also after a reload', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [list('/'), read('/a.md'), evaluate('1')], { tools: { maxIterations: 2 } })
  await chat.begin()
  await chat.runThrough('list_directory')
  await chat.runThrough('read_file')
  await chat.run('browser_js_eval')
  await expect(chat.log).toContainText('2 tool rounds without a message from you. Continue?')
  expect(await chat.sent()).toHaveLength(3)
  await page.reload()
  await press(chat.log, 'Tell the model')
  await press(chat.log, 'Continue')
  expect(await chat.told(4)).toContain('browser_js_eval')
  await expect(chat.replies().last()).toContainText('That is all.')
})
