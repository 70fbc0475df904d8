import { expect, test } from '@playwright/test'
import { choose, evaluate, list, press, read, ScriptedChat } from './support/scripted-chat'

// A result before it is sent: the next request's body shows what the model received.

/** Creates a file whose text is nowhere in the chat. */
const secretFile = evaluate("await fs.writeFile('/keys.md', ['alpha', 'hunter' + 2, 'omega'].join('\\n')); 'made'")
const longFile = evaluate(
  "await fs.writeFile('/long.md', Array.from({ length: 200 }, (_, i) => 'line ' + (i + 1) + '.').join('\\n')); 'made'",
)
const gateReads = { toolRules: { read_file: { result: 'always' } } } as const

test('redact, note, send: the model gets the rest, and no request contains what was redacted', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [secretFile, read('/keys.md'), 'Thank you.'], { tools: gateReads })
  await chat.begin()
  await chat.runThrough('browser_js_eval')
  await chat.run('read_file')
  const gate = chat.result('read_file')
  await expect(gate).toContainText('result needs review')
  await expect(gate).toContainText(/This result was not sent to the model\.|The model has not seen any of it\./)
  await expect(gate).toContainText('you chose to review every result of read_file')
  await page.reload()
  await expect(gate).toContainText('result needs review')
  expect(await chat.sent()).toHaveLength(2)

  await expect(gate.getByRole('button', { name: 'Redact selection' })).toBeDisabled()
  await gate.getByText('hunter2').dblclick()
  await press(gate, 'Redact selection')
  await expect(gate.getByRole('status')).toContainText('1 redacted')
  await expect(gate).not.toContainText('hunter2')
  await gate.getByRole('textbox', { name: 'Note to the model' }).fill('Line two is mine.')
  await press(gate, 'Send result')
  const told = await chat.told(3)
  expect(told).toContain('alpha')
  expect(told).toContain('[redacted]')
  expect(told).toContain('The user changed this result before it was sent: parts were blacked out.')
  expect(told).toContain('Line two is mine.')
  expect(JSON.stringify(await chat.sent())).not.toContain('hunter2')
  await chat.settled()
  await page.reload()
  await gate.getByRole('button', { expanded: false }).first().click()
  await expect(gate).toContainText('You changed this result: redacted.')
  await expect(gate).toContainText('Line two is mine.')
})

test('two failed results of one reply are each sent by their own button, and leave the review', async ({ page }) => {
  const failing = `${evaluate("throw new Error('one broke')")}\n${evaluate("throw new Error('two broke')")}`
  const chat = await ScriptedChat.open(page, [failing, 'I see both.'], { tools: { resultGate: 'large-or-failed' } })
  await chat.begin()
  await page.getByRole('checkbox', { name: 'stop at the first failure' }).uncheck()
  await press(page.getByRole('group', { name: '2 calls are waiting for you' }), 'Run all')
  const gates = chat.result('browser_js_eval')
  await expect(gates).toHaveCount(2)
  for (const at of [0, 1]) await expect(gates.nth(at)).toContainText('result needs review')
  await press(gates.first(), 'Send result')
  await expect(gates.first()).not.toContainText('needs review')
  expect(await chat.sent()).toHaveLength(1)
  await press(gates.last(), 'Send result')
  await expect(gates.last()).not.toContainText('needs review')
  const told = await chat.told(2)
  expect(told).toContain('one broke')
  expect(told).toContain('two broke')
  await expect(chat.replies().last()).toContainText('I see both.')
  await expect(page.getByText('needs review')).toHaveCount(0)
})

test('trim, edit, a selection, a file instead: each is what the model gets', async ({ page }) => {
  const again = read('/long.md')
  const chat = await ScriptedChat.open(page, [longFile, again, again, again, again, read('/.nod/results/0001.txt')], {
    tools: { ...gateReads, maxIterations: 20 },
  })
  await chat.begin()
  await chat.runThrough('browser_js_eval')
  const gate = chat.result('read_file').last()

  await chat.run('read_file')
  // However long the result is, its actions are in view and not under the composer.
  const seen = (button: Element) => {
    const { x, y, width, height } = button.getBoundingClientRect()
    return button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  }
  for (const name of ['Send result', 'Don’t send']) {
    await expect.poll(() => gate.getByRole('button', { name, exact: true }).evaluate(seen), name).toBe(true)
  }
  await gate.getByRole('radio', { name: 'Shorten', exact: true }).click()
  await expect(gate.getByRole('status')).toContainText('shortened')
  await press(gate, 'Send result')
  const trimmed = await chat.told(3)
  expect(trimmed).toContain('line 1.')
  expect(trimmed).toContain('line 200.')
  expect(trimmed).not.toContain('line 100.')

  await chat.run('read_file')
  await press(gate, 'Edit')
  await gate.getByRole('textbox', { name: 'Result', exact: true }).fill('Nothing to see.')
  await press(gate, 'Done')
  await press(gate, 'Undo')
  await expect(gate).toContainText('line 2.')
  await press(gate, 'Edit')
  await gate.getByRole('textbox', { name: 'Result', exact: true }).fill('Only this.')
  await press(gate, 'Send result')
  const edited = await chat.told(4)
  expect(edited).toContain('Only this.')
  expect(edited).toContain('its text was edited')
  expect(edited).not.toContain('line 1.')

  await chat.run('read_file')
  await gate.getByRole('radio', { name: 'Selection', exact: true }).click()
  await expect(gate.getByRole('alert')).toContainText('Select the part to send')
  await gate.getByText('line 7.', { exact: true }).click({ clickCount: 3 })
  await gate.getByRole('radio', { name: 'Selection', exact: true }).click()
  await press(gate, 'Send result')
  const selection = await chat.told(5)
  expect(selection).toContain('line 7.')
  expect(selection).not.toContain('line 9.')

  await chat.run('read_file')
  await press(gate, 'Send as file path')
  await expect(gate).toContainText('can read the file page by page')
  const path = (await gate.locator('code').filter({ hasText: '/.nod/' }).first().textContent()) ?? ''
  await press(gate, 'Send result')
  const reference = await chat.told(6)
  expect(reference).toContain(path)
  expect(reference).not.toContain('line 50.')
  // The file is real, and contains all of it.
  await choose(chat.call('read_file'), 'Edit')
  await page.getByRole('form', { name: 'Edit the call' }).getByRole('textbox', { name: 'path' }).fill(path)
  await press(page.getByRole('form', { name: 'Edit the call' }), 'Save')
  await chat.run('read_file')
  await press(gate, 'Send result')
  expect(await chat.told(7)).toContain('line 50.')
})

test(
  'don’t send, and send after all: the decision can be changed until the results are sent',
  { tag: '@nightly' },
  async ({ page }) => {
    const both = `${read('/keys.md')}\n${list('/')}`
    const chat = await ScriptedChat.open(page, [secretFile, both, both], { tools: gateReads })
    await chat.begin()
    await chat.runThrough('browser_js_eval')
    const gate = chat.result('read_file').last()
    await chat.run('read_file')
    await press(gate, 'Don’t send')
    await expect(gate).toContainText('result not sent')
    await page.reload()
    await expect(gate).toContainText('The model does not know yet')
    await press(gate, 'Send anyway')
    await press(chat.call('list_directory'), 'Deny')
    expect(await chat.told(3)).toContain('hunter2')

    await expect(chat.call('read_file')).toBeVisible()
    await chat.settled()
    await chat.run('read_file')
    await gate.getByRole('textbox', { name: 'Note to the model' }).fill('You have it already.')
    await press(gate, 'Don’t send')
    await chat.run('list_directory')
    const told = await chat.told(4)
    expect(told).toContain('It ran, but its result was not sent: the user kept it.')
    expect(told).toContain('You have it already.')
    expect(told).not.toContain('hunter2')
    await page.reload()
    await expect(gate).toContainText('You did not send the result. The model knows about this.')
    await expect(gate.getByRole('button', { name: 'Send anyway' })).toHaveCount(0)
  },
)

test(
  'a failed result waits if the chat is set so; keys send and withhold it',
  { tag: '@nightly' },
  async ({ page }) => {
    const chat = await ScriptedChat.open(page, [read('/missing.md'), read('/missing.md'), list('/')], {
      tools: { resultGate: 'large-or-failed' },
    })
    await chat.begin()
    const gate = chat.result('read_file').last()
    await chat.run('read_file')
    await expect(gate).toContainText('you chose to review failed results')
    await page.reload()
    await gate.focus()
    await page.keyboard.press('ControlOrMeta+Enter')
    expect(await chat.told(2)).toContain('/missing.md')
    await expect(chat.call('read_file')).toBeVisible()
    await chat.settled()
    await chat.focusReady('read_file')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(gate).toContainText('result needs review')
    await page.keyboard.press('ControlOrMeta+Backspace')
    expect(await chat.told(3)).toContain('the user kept it')
    // A small successful result is not held back.
    await chat.run('list_directory')
    await chat.told(4)
  },
)
