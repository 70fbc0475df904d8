import { expect, test } from '@playwright/test'
import {
  canBeRemembered,
  choose,
  evaluate,
  list,
  press,
  read,
  ScriptedChat,
  write,
  xmlCall,
} from './support/scripted-chat'

// The user's edits to a call before it runs. The model learns of them.

test('edit by form: a wrong value is named; the edit is shown, survives a reload, runs, and reaches the model', async ({
  page,
}) => {
  const chat = await ScriptedChat.open(page, [write('/a.md', 'one\ntwo\nthree'), read('/b.md')])
  await chat.begin()
  await chat.runThrough('write_file')
  const card = chat.card('read_file')
  await choose(card, 'Edit')
  const form = card.getByRole('form', { name: 'Edit the call' })
  await form.getByRole('textbox', { name: 'path' }).fill('/a.md')
  await form.getByRole('textbox', { name: 'limit' }).fill('few')
  await expect(form.getByRole('textbox', { name: 'limit' })).toHaveAttribute('aria-invalid', 'true')
  await expect(form).toContainText(/It must be .*(number|integer)/)
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
  await form.getByRole('textbox', { name: 'limit' }).fill('2')
  await press(form, 'Save')

  await expect(card).toContainText('You changed path and limit.')
  await expect(card.getByRole('group', { name: 'Requested and edited' })).toContainText('/b.md')
  await page.reload()
  await expect(card).toContainText('waiting for you')
  await expect(card).toContainText('You changed path and limit.')
  await choose(card, 'Undo your edit')
  await expect(card).not.toContainText('You changed')
  await choose(card, 'Edit')
  await form.getByRole('textbox', { name: 'path' }).fill('/a.md')
  await form.getByRole('textbox', { name: 'limit' }).fill('2')
  await form.getByRole('textbox', { name: 'limit' }).press('ControlOrMeta+Enter')
  await expect(card).toContainText('You changed path and limit.')
  await chat.runThrough('read_file')

  const told = await chat.told(3)
  expect(told).toContain('The user changed the arguments before it ran: what ran was read_file with')
  expect(told).toContain('one')
  expect(told).not.toContain('three')
  await page.reload()
  await expect(card).toContainText('done')
  await expect(chat.card('read_file')).toContainText('You changed path and limit.')
})

test(
  'edit as JSON and as code: invalid JSON is named and kept, and the saved call is the one that runs',
  { tag: '@nightly' },
  async ({ page }) => {
    const chat = await ScriptedChat.open(page, [list('/nowhere'), evaluate('1 + 1')])
    await chat.begin()
    const card = chat.card('list_directory')
    await choose(card, 'Edit')
    await card.getByRole('radio', { name: 'JSON', exact: true }).click()
    const raw = card.getByRole('textbox', { name: 'Arguments as JSON' })
    await raw.fill('{"path": ')
    await expect(card).toContainText('This is not valid JSON yet')
    await expect(card.getByRole('button', { name: 'Save' })).toBeDisabled()
    await card.getByRole('radio', { name: 'Form', exact: true }).click()
    await expect(raw).toHaveValue('{"path": ')
    await raw.fill('{}')
    await expect(card.getByRole('button', { name: 'Save' })).toBeDisabled()
    await raw.fill('{"path": "/"}')
    await press(card, 'Save')
    await chat.runThrough('list_directory')
    expect(await chat.told(2)).toContain('what ran was list_directory with')

    const code = chat.card('browser_js_eval')
    await code.focus()
    await page.keyboard.press('e')
    await code.getByRole('radio', { name: 'Code', exact: true }).click()
    await code.getByRole('textbox', { name: 'Code' }).fill('"ran: " + 6 * 7')
    await press(code, 'Save')
    await expect(code.getByRole('group', { name: 'Requested and edited' })).toContainText('1 + 1')
    await chat.runThrough('browser_js_eval')
    expect(await chat.told(3)).toContain('ran: 42')
  },
)

test('an example in a code block becomes a call on a click, also after a reload, and the model is informed', async ({
  page,
}) => {
  const chat = await ScriptedChat.open(page, [`Like this:\n\n\`\`\`xml\n${list('/')}\n\`\`\`\n`])
  await chat.begin()
  const card = chat.card('list_directory')
  await expect(card).toContainText('example in a code block, not a call')
  await expect(card.getByRole('button', { name: 'Run', exact: true })).toHaveCount(0)
  await press(card, 'Treat as a call')
  await expect(card).toContainText('You treat this as a call.')
  await page.reload()
  await expect(card).toContainText('waiting for you')
  await choose(card, 'Treat as text again')
  await expect(card).toContainText('example in a code block')
  await press(card, 'Treat as a call')
  await chat.runThrough('list_directory')
  expect(await chat.told(2)).toContain('This was not written as a call; the user took it as one.')
  await page.reload()
  await expect(card).toContainText('done')
})

test('a call in another format: use this one, and switch the chat to that format @nightly', async ({ page }) => {
  const foreign = '```json\n{"tool_calls":[{"name":"list_directory","arguments":{"path":"/"}}]}\n```'
  const chat = await ScriptedChat.open(page, [`I look.\n\n${foreign}`, foreign])
  await chat.begin()
  const card = chat.card('list_directory').first()
  await expect(card).toContainText('The model wrote this call in JSON_Strict format, but this chat uses XML_Tag.')
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  for (const width of [360, size.width]) {
    await page.setViewportSize({ width, height: size.height })
    await expect(card.getByRole('button', { name: 'Use this call' })).toBeInViewport({ ratio: 1 })
    await expect(card).toContainText('path')
    await expect(card).toContainText('You review it before it runs.')
  }
  await press(card, 'Switch to this call format')
  await expect(chat.picker).toContainText('JSON_Strict')
  // This card stays as it was parsed.
  await expect(card).toContainText('in JSON_Strict format, but this chat used XML_Tag then.')
  await press(card, 'Use this call')
  await expect(card).toContainText('waiting for you')
  await chat.runThrough('list_directory')
  expect(await chat.told(2)).toContain('"tool_call_result"')
  await chat.call('list_directory').getByRole('button', { name: 'List the folder /' }).click()
  await expect(chat.call('list_directory')).toContainText('via JSON_Strict')
  await expect(chat.call('list_directory').getByRole('button', { name: 'Run', exact: true })).toBeVisible()
})

test('a provider’s own call in a chat with another format waits after one click, also after a reload @nightly', async ({
  page,
}) => {
  const chat = await ScriptedChat.open(page, [])
  await chat.ask('fixture:native-write')
  const card = chat.card('write_file')
  await expect(card).toContainText('The model used its own tool calling, but this chat uses XML_Tag.')
  await expect(card.getByRole('button', { name: 'Switch to Native' })).toBeVisible()
  await page.reload()
  await press(card, 'Use this call')
  await expect(card).toContainText('waiting for you')
  await chat.runThrough('write_file')
  await expect(chat.replies()).toHaveCount(2)
})

test('a broken call: the repaired one waits like any call; a cut-off one can be completed by hand', async ({
  page,
}) => {
  const chat = await ScriptedChat.open(page, [
    'I look.\n<tool_code>{"name":"list_directory","arguments":{"path":"/"}',
    'I write.\n<tool_code>{"name":"write_file","arguments":{"path":"/cut.md","content":"# Pl',
  ])
  await chat.begin()
  await expect(chat.broken).toContainText('Only markup is missing')
  await press(chat.broken, 'Use this call')
  const card = chat.card('list_directory')
  await expect(card).toBeFocused()
  await page.reload()
  await expect(card).toContainText('You replaced a call that could not be read.')
  await chat.runThrough('list_directory')

  await expect(chat.broken.getByRole('button', { name: 'Use this call' })).toHaveCount(0)
  await press(chat.broken, 'Edit')
  const form = page.getByRole('form', { name: 'Edit the call' })
  await form.getByRole('textbox', { name: 'path' }).fill('/cut.md')
  await form.getByRole('textbox', { name: 'content' }).fill('# Plan')
  await press(form, 'Save')
  await page.reload()
  await chat.runThrough('write_file')
  expect(await chat.told(3)).toContain('/cut.md')
})

test(
  'a broken call is sent back at most twice; each time the model gets the same instructions',
  { tag: '@nightly' },
  async ({ page }) => {
    const cut = 'I write.\n<tool_code>{"name":"write_file","arguments":{"path":"/cut.md","content":"# Pl'
    const chat = await ScriptedChat.open(page, [cut, cut, cut])
    await chat.begin()
    for (const round of [2, 3]) {
      await press(chat.broken.last(), 'Ask the model to fix it')
      await expect(chat.broken).toHaveCount(round)
      await chat.settled()
      expect(await chat.told(round)).toContain('write_file')
    }
    await expect(chat.broken.last()).toContainText('The model was asked twice to fix this, without success.')
    await expect(page.getByRole('button', { name: 'Ask the model to fix it' })).toHaveCount(0)
    await page.reload()
    await expect(chat.broken.last()).toContainText('The model was asked twice')
    await press(chat.broken.last(), 'Ignore')
    await expect(chat.broken.last().getByRole('button', { name: 'Edit' })).toHaveCount(0)
  },
)

test('no such tool: the nearest one is offered, and runs once chosen @nightly', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [xmlCall('list_dir', { path: '/' })])
  await chat.begin()
  const unknown = chat.card('list_dir')
  await expect(unknown).toContainText('no such tool')
  await expect(unknown).toContainText('list_directory')
  await press(unknown, 'Edit')
  const form = page.getByRole('form', { name: 'Edit the call' })
  await expect(form.getByRole('combobox', { name: 'Tool' })).toHaveValue('list_directory')
  await press(form, 'Save')
  const card = chat.card('list_directory')
  await expect(card).toContainText('You chose list_directory instead of list_dir')
  await page.reload()
  await chat.runThrough('list_directory')
  expect(await chat.told(2)).toContain('what ran was list_directory')
})

test('no such tool: the model can be told instead, once', { tag: '@nightly' }, async ({ page }) => {
  const chat = await ScriptedChat.open(page, [xmlCall('list_dir', { path: '/' }), 'I see.'])
  await chat.begin()
  await press(chat.card('list_dir'), 'Tell the model')
  await expect(chat.replies()).toHaveCount(2)
  expect(await chat.told(2)).toContain('list_directory')
  await page.reload()
  await expect(chat.card('list_dir')).toContainText('The model knows')
  await expect(chat.card('list_dir').getByRole('button', { name: 'Edit' })).toHaveCount(0)
})

test('a call that was parsed with a guess shows the guess, and is left out of Run all', async ({ page }) => {
  const guess = '<tool_code>{"name":"write_file","arguments":{"path":"/g.md","content":"say "hi" now"}}</tool_code>'
  const chat = await ScriptedChat.open(page, [`${list('/')}\n${guess}`])
  await chat.begin()
  await expect(page.getByText('Run all skips 1 call that was read with a guess.')).toBeVisible()
  await expect(chat.card('write_file').getByRole('group', { name: 'The model’s text and the reading' })).toBeVisible()
  expect(await canBeRemembered(chat.card('write_file'))).toBe(false)
  await press(page.getByRole('group', { name: '2 calls are waiting for you' }), 'Run all')
  await expect(chat.card('list_directory')).toContainText('done')
  await expect(chat.card('write_file')).toContainText('waiting for you')
  await chat.run('write_file')
  expect(await chat.told(2)).toContain('/g.md')
})
